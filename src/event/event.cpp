#include "event/event.h"

#include "base/clock.h"
#include "base/context_members.h"
#include "diagnose/refuse.h"
#include "exec/blocking.h"
#include "exec/lane.h"

namespace reprise_runtime::event {
namespace {

using diagnose::refuse;

HandleTable<Event>& events() { return HandleTable<Event>::instance(); }

Result<Ref<Event>> add(unsigned flags, int device, Ref<SharedEvent> shared) {
  Ref<Event> event = events().create(flags, device, std::move(shared));
  if (!event) return cudaErrorMemoryAllocation;
  own_member(MemberKind::event, event->handle().as<cudaEvent_t>());
  return event;
}

[[gnu::cold, gnu::noinline]] cudaError_t no_such_event(cudaEvent_t handle) {
  if (!handle) return refuse(cudaErrorInvalidResourceHandle, "the event is null");
  if (events().ever_named(Handle::from(handle))) {
    return refuse(cudaErrorContextIsDestroyed, "event %p was destroyed", static_cast<void*>(handle));
  }
  return refuse(cudaErrorInvalidResourceHandle, "%p is not an event", static_cast<void*>(handle));
}

}  // namespace

Event::Record Event::begin_record() {
  MutexLock lock(mutex_);
  forget_captured();
  ++latest_.number;
  if (shared_) latest_.shared = shared_->begin_record();
  return latest_;
}

void Event::place_record(const Record& record, const exec::Marker& marker) {
  MutexLock lock(mutex_);
  if (record.number == latest_.number) marker_ = marker;
}

void Event::finish_record(const Record& record) {
  if (shared_) shared_->complete(record.shared);
  if (!timed()) return;
  uint64_t now = now_ns();
  MutexLock lock(mutex_);
  if (record.number != latest_.number) return;
  stamped_ = record.number;
  stamp_ns_ = now;
}

void Event::record_at(const exec::Marker& marker) {
  MutexLock lock(mutex_);
  forget_captured();
  ++latest_.number;
  marker_ = marker;
}

void Event::record_now() {
  Record record = begin_record();
  finish_record(record);
  place_record(record, {});
}

void Event::record_captured(std::shared_ptr<CapturedRecord> record) {
  MutexLock lock(mutex_);
  captured_.swap(record);
  is_captured_.store(true, std::memory_order_relaxed);
}

std::shared_ptr<CapturedRecord> Event::captured() {
  MutexLock lock(mutex_);
  return captured_;
}

bool Event::ever_recorded() {
  MutexLock lock(mutex_);
  return latest_.number != 0 || (shared_ && shared_->recorded() != 0);
}

Event::Point Event::point() {
  MutexLock lock(mutex_);
  if (!shared_) return {marker_, nullptr, 0};
  // A record that one process has completed is complete for all. A wait can run the work before this process's own
  // record; for a record of another process it can only sleep.
  uint64_t latest = shared_->recorded();
  if (shared_->completed() >= latest) return {};
  if (latest == latest_.shared) return {marker_, nullptr, 0};
  return {{}, shared_, latest};
}

bool Event::poll() {
  Point now = point();
  if (now.marker.progress && now.marker.progress->lane()) now.marker.progress->lane()->set_self_served(false);
  return now.reached();
}

void Event::Point::wait(exec::WaitPolicy wait_policy) const {
  if (!shared) return exec::wait(marker, wait_policy);
  exec::BlockingScope scope;
  shared->wait(shared_record);
}

Result<uint64_t> Event::time() {
  MutexLock lock(mutex_);
  if (!timed()) return refuse(cudaErrorInvalidResourceHandle, "the event was created with cudaEventDisableTiming");
  if (latest_.number == 0) return refuse(cudaErrorInvalidResourceHandle, "the event was never recorded");
  if (!marker_.reached() || stamped_ != latest_.number) return cudaErrorNotReady;
  return stamp_ns_;
}

Result<Ref<Event>> create(unsigned flags, int device) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (flags & ~known) return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", flags & ~known);
  if (!(flags & cudaEventInterprocess)) return add(flags, device, nullptr);
  if (!(flags & cudaEventDisableTiming)) {
    return refuse(cudaErrorInvalidValue, "cudaEventInterprocess requires cudaEventDisableTiming");
  }
  Ref<SharedEvent> shared = SharedEvent::create();
  if (!shared) return refuse(cudaErrorOperatingSystem, "the system provides no shared memory for the event");
  return add(flags, device, std::move(shared));
}

Result<Ref<Event>> open(const cudaIpcEventHandle_t& handle, int device) {
  Result<Ref<SharedEvent>> shared = SharedEvent::open(handle);
  if (!shared.ok()) return shared.status();
  return add(cudaEventInterprocess | cudaEventDisableTiming, device, std::move(shared).value());
}

Result<Ref<Event>> find(cudaEvent_t handle) {
  Ref<Event> event = events().find(Handle::from(handle));
  if (event) return event;
  return no_such_event(handle);
}

void destroy_events(int device) {
  events().for_each([&](Ref<Event> event) {
    if (event->device() == device) events().erase(event->handle());
  });
}

cudaError_t destroy(cudaEvent_t handle) {
  if (events().erase(Handle::from(handle))) {
    disown_member(handle);
    return cudaSuccess;
  }
  return find(handle).status();
}

Result<float> elapsed(Event& from, Event& to) {
  if (from.device() != to.device()) {
    return refuse(cudaErrorInvalidResourceHandle, "the events belong to devices %d and %d", from.device(), to.device());
  }
  Result<uint64_t> start = from.time(), end = to.time();
  // An event without timing is an error, whatever the state of the other event.
  for (cudaError_t status : {start.status(), end.status()}) {
    if (status != cudaSuccess && status != cudaErrorNotReady) return status;
  }
  if (!start.ok() || !end.ok()) return cudaErrorNotReady;
  return static_cast<float>(static_cast<double>(static_cast<int64_t>(*end - *start)) / 1e6);
}

}  // namespace reprise_runtime::event
