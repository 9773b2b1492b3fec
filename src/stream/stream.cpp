#include "stream/stream.h"

#include "base/context_members.h"
#include "base/devices.h"
#include "diagnose/refuse.h"
#include "memory/pool/pools.h"
#include "stream/capture.h"
#include "stream/capture_explanation.h"
#include "stream/capture_work.h"
#include "stream/device_streams.h"
#include "stream/priority.h"

namespace reprise_runtime::stream {
namespace {

using diagnose::refuse;

HandleTable<Stream>& streams() { return HandleTable<Stream>::instance(); }

[[gnu::cold, gnu::noinline]] cudaError_t no_such_stream(cudaStream_t handle) {
  if (streams().ever_named(Handle::from(handle))) {
    return refuse(cudaErrorContextIsDestroyed, "stream %p was destroyed", static_cast<void*>(handle));
  }
  return refuse(cudaErrorInvalidResourceHandle, "%p is not a stream", static_cast<void*>(handle));
}

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

// The per-thread stream that the calling thread used last, for fast lookup.
REPRISE_THREAD_LOCAL Stream* own_stream = nullptr;

// The calling thread's per-thread streams, one for each device. They are destroyed with the thread.
struct PerThreadStreams {
  Ref<Stream> of_device[max_devices];

  ~PerThreadStreams() {
    own_stream = nullptr;
    for (Ref<Stream>& stream : of_device) {
      if (stream && streams().erase(stream->handle())) stream->depart();
    }
  }
};

// The stream that the calling thread used last, kept so that using it again needs no reference counting. The handle
// table tells whether its handle was destroyed meanwhile.
struct Borrowed {
  Ref<Stream> kept;
};
REPRISE_THREAD_LOCAL Stream* borrowed = nullptr;
REPRISE_THREAD_LOCAL uint64_t borrowed_handle = 0;

Result<Stream*> borrow_and_keep(cudaStream_t handle) {
  static thread_local Borrowed own;
  Result<Ref<Stream>> found = find(handle);
  if (!found.ok()) return found.status();
  own.kept = std::move(found).value();
  borrowed = own.kept.get();
  borrowed_handle = Handle::from(handle).bits;
  return borrowed;
}

// Null when there is no memory for it.
const Ref<Stream>& per_thread_stream(int device) {
  static thread_local PerThreadStreams own;
  Ref<Stream>& stream = own.of_device[device];
  if (!stream) stream = streams().create(Kind::per_thread, device, 0);
  own_stream = stream.get();
  return stream;
}

}  // namespace

Stream::Stream(Kind kind, int device, int priority)
    : kind_(kind),
      device_(device),
      id_(next_id()),
      lane_(exec::Lane::acquire(level_of(priority))),
      siblings_(DeviceStreams::of(device)),
      priority_(priority) {}

Stream::~Stream() {
  // Again, in case one thread submitted work while another destroyed the stream.
  depart();
  lane_.retire();
}

void Stream::depart() {
  if (may_capture()) {
    MutexLock lock(capture_mutex());
    if (CapturePart* part = capture(); part && part->capture) part->capture->leave(*part);
  }
  siblings_.depart(*this);
}

void Stream::set_priority(int priority) {
  priority_.store(priority, std::memory_order_relaxed);
  lane_.set_level(level_of(priority));
}

void Stream::order_after_blocking_streams() {
  if (siblings_.has_submitters()) siblings_.order_legacy(lane_);
}

void Stream::order_after_legacy_stream() {
  Stream* legacy = siblings_.legacy_if_made();
  if (!legacy) return;
  exec::Marker last = legacy->lane_.last();
  if (last.reached() || legacy_waited_.load(std::memory_order_acquire) == last.value) return;
  lane_.submit_wait(last);
  // After the wait is in the lane: another thread that sees this submits behind it.
  legacy_waited_.store(last.value, std::memory_order_release);
}

void Stream::note_submission() {
  if (!in_submitters_.load(std::memory_order_seq_cst)) siblings_.add_submitter(*this);
}

bool Stream::idle() {
  // The caller polls instead of waiting, so a worker must run the queued work.
  lane_.set_self_served(false);
  return lane_.idle() && (kind_ != Kind::legacy || siblings_.blocking_streams_idle());
}

void Stream::synchronize() {
  if (kind_ == Kind::legacy) order_after_blocking_streams();
  exec::wait(lane_.last(), wait_policy());
  memory::after_synchronization();
}

exec::WaitPolicy Stream::wait_policy() {
  bool sleeps = policy_.load(std::memory_order_relaxed) == cudaSyncPolicyBlockingSync;
  return sleeps ? exec::WaitPolicy::sleep : siblings_.wait_policy();
}

void Stream::enqueue(const op::EventRecord& op) {
  const Ref<event::Event>& event = op.event;
  if (!event->needs_task()) return event->record_at(lane_.last());
  event::Event::Record record = event->begin_record();
  uint64_t number = lane_.submit([event, record](exec::Lane&) { event->finish_record(record); });
  event->place_record(record, lane_.at(number));
}

void Stream::enqueue(const op::EventWait& op) {
  event::Event::Point point = op.event->point();
  if (!point.shared) return lane_.submit_wait(point.marker);
  if (!point.reached()) lane_.submit([point](exec::Lane&) { point.wait(exec::WaitPolicy::sleep); });
}

cudaError_t Stream::append_to_capture(op::Kernel&& kernel) {
  if (!capture()->capture) return explain::legacy_used(*this);
  return capture_kernel(*this, *capture(), std::move(kernel));
}

cudaError_t Stream::append_to_capture(op::Op op) {
  if (!capture()->capture) return explain::legacy_used(*this);
  return capture_op(*this, *capture(), std::move(op));
}

Result<Ref<Stream>> create(unsigned flags, int priority, int device) {
  if (const unsigned unknown = flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) {
    return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", unknown);
  }
  Kind kind = flags & cudaStreamNonBlocking ? Kind::non_blocking : Kind::blocking;
  Ref<Stream> stream = streams().create(kind, device, clamp_priority(priority));
  if (!stream) return cudaErrorMemoryAllocation;
  own_member(MemberKind::stream, stream->handle().as<cudaStream_t>());
  return stream;
}

Ref<Stream> look_up(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) {
    return Ref<Stream>(&DeviceStreams::of(current_device()).legacy());
  }
  return handle == cudaStreamPerThread ? per_thread_stream(current_device()) : streams().find(Handle::from(handle));
}

Result<Ref<Stream>> find(cudaStream_t handle) {
  if (Ref<Stream> stream = look_up(handle)) return stream;
  return handle == cudaStreamPerThread ? cudaErrorMemoryAllocation : no_such_stream(handle);
}

cudaError_t destroy(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
    return refuse(cudaErrorInvalidResourceHandle, "a default stream cannot be destroyed");
  }
  Ref<Stream> stream = streams().erase(Handle::from(handle));
  if (!stream) return find(handle).status();
  stream->depart();
  disown_member(handle);
  return cudaSuccess;
}

Result<Stream*> borrow(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) return &DeviceStreams::of(current_device()).legacy();
  if (Handle::from(handle).bits == borrowed_handle && streams().names_live(Handle::from(handle))) return borrowed;
  if (handle == cudaStreamPerThread) {
    if (own_stream && own_stream->device() == current_device()) return own_stream;
    Stream* own = per_thread_stream(current_device()).get();
    return own ? Result<Stream*>(own) : cudaErrorMemoryAllocation;
  }
  return borrow_and_keep(handle);
}

}  // namespace reprise_runtime::stream
