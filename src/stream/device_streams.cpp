#include "stream/device_streams.h"

#include <algorithm>

#include "base/last_error.h"
#include "exec/workers.h"
#include "memory/pool/pools.h"
#include "stream/capture.h"

namespace reprise_runtime::stream {
namespace {

HandleTable<Stream>& streams() { return HandleTable<Stream>::instance(); }

void drop_reached(std::vector<exec::Marker>& markers) {
  std::erase_if(markers, [](const exec::Marker& marker) { return marker.reached(); });
}

// The child of a fork has one thread, and mutexes in an arbitrary state. If the parent had used the runtime, the
// child's calls are refused, as NVIDIA's runtime does; a child that only calls exec or _exit is not affected.
void refuse_in_forked_child() {
  for (int device = 0; device < max_devices; ++device) {
    reprise_runtime::detail::sticky_errors[device].store(cudaErrorInitializationError, std::memory_order_relaxed);
  }
}

}  // namespace

DeviceStreams& DeviceStreams::of(int device) {
  // Never destroyed: streams may be destroyed while the process exits.
  static DeviceStreams* const* all = [] {
    exec::Workers::instance().at_fork(refuse_in_forked_child);
    auto** made = new DeviceStreams*[max_devices];
    for (int i = 0; i < max_devices; ++i) made[i] = new DeviceStreams(i);
    return made;
  }();
  return *all[device];
}

Stream& DeviceStreams::legacy() {
  if (Stream* made = legacy_.load(std::memory_order_acquire)) return *made;
  Ref<Stream> stream = streams().create(Kind::legacy, device_, 0);
  Stream* expected = nullptr;
  if (legacy_.compare_exchange_strong(expected, stream.get(), std::memory_order_acq_rel)) return *stream.detach();
  streams().erase(stream->handle());
  return *expected;
}

void DeviceStreams::blocking_capture_began() {
  static constinit CapturePart no_capture{};
  if (blocking_captures_++ == 0) legacy().set_capture(&no_capture);
}

void DeviceStreams::blocking_capture_ended() {
  if (--blocking_captures_ == 0) legacy().set_capture(nullptr);
}

void DeviceStreams::add_submitter(Stream& stream) {
  MutexLock lock(mutex_);
  if (stream.in_submitters_.exchange(true, std::memory_order_seq_cst)) return;
  submitters_.push_back(&stream);
  count_submitters();
}

void DeviceStreams::depart(Stream& stream) {
  MutexLock lock(mutex_);
  exec::Marker last = stream.lane_.last();
  drop_reached(departed_);
  if (!last.reached()) departed_.push_back(last);
  if (std::erase(submitters_, &stream) > 0 && !last.reached()) departed_submitters_.push_back(last);
  count_submitters();
}

void DeviceStreams::order_legacy(exec::Lane& legacy_lane) {
  MutexLock lock(mutex_);
  for (Stream* stream : submitters_) {
    stream->in_submitters_.exchange(false, std::memory_order_seq_cst);
    legacy_lane.submit_wait(stream->lane_.last());
  }
  for (const exec::Marker& marker : departed_submitters_) legacy_lane.submit_wait(marker);
  submitters_.clear();
  departed_submitters_.clear();
  count_submitters();
}

bool DeviceStreams::blocking_streams_idle() {
  MutexLock lock(mutex_);
  return std::all_of(submitters_.begin(), submitters_.end(), [](Stream* stream) { return stream->lane_.idle(); }) &&
         std::all_of(departed_submitters_.begin(), departed_submitters_.end(),
                     [](const exec::Marker& marker) { return marker.reached(); });
}

std::vector<exec::Marker> DeviceStreams::all_work() {
  std::vector<exec::Marker> work;
  streams().for_each([&](Ref<Stream> stream) {
    if (stream->device_ != device_) return;
    const exec::Marker last = stream->lane_.last();
    if (!last.reached()) work.push_back(last);
  });
  // After the streams: one that is destroyed meanwhile is found in one of the two.
  MutexLock lock(mutex_);
  drop_reached(departed_);
  work.insert(work.end(), departed_.begin(), departed_.end());
  return work;
}

void finish_work(int device) {
  DeviceStreams& streams = DeviceStreams::of(device);
  for (const exec::Marker& marker : streams.all_work()) exec::wait(marker, streams.wait_policy());
  exec::waited();
}

cudaError_t synchronize_device(int device) {
  finish_work(device);
  memory::after_synchronization();
  if (cudaError_t sticky = sticky_error(device); sticky != cudaSuccess) return sticky;
  return exec::Lane::any_failed() ? DeviceStreams::of(device).take_failures() : cudaSuccess;
}

// Returns the last one found.
cudaError_t DeviceStreams::take_failures() {
  cudaError_t failure = cudaSuccess;
  streams().for_each([&](Ref<Stream> stream) {
    if (stream->device_ != device_) return;
    if (const int taken = stream->lane_.take_failure()) failure = static_cast<cudaError_t>(taken);
  });
  return failure;
}

void destroy_streams(int device) {
  static_cast<void>(synchronize_device(device));
  streams().for_each([&](Ref<Stream> stream) {
    bool made_by_user = stream->kind() == Kind::blocking || stream->kind() == Kind::non_blocking;
    if (made_by_user && stream->device() == device) static_cast<void>(destroy(stream->handle().as<cudaStream_t>()));
  });
}

}  // namespace reprise_runtime::stream
