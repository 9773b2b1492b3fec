// The streams of one device: its legacy stream, and the ordering between it and the blocking streams.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. A blocking stream with work submitted since the legacy stream last looked is in submitters_, and its flag is set.
//     A stream submits and then looks at its flag; the legacy stream clears the flag and then looks at what is
//     submitted: one of the two sees the other.
//  2. submitter_count_ falls to 0 only after waits for all of them are in the legacy lane: a thread that reads 0
//  submits
//     behind those waits.
//  3. departed_ has the last item of every destroyed stream whose work may not be done.
#pragma once

#include <vector>

#include "base/devices.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

class DeviceStreams {
 public:
  static DeviceStreams& of(int device);

  // Created on first use and never destroyed.
  Stream& legacy();
  // Null before the first use: there is nothing to wait for yet.
  Stream* legacy_if_made() { return legacy_.load(std::memory_order_acquire); }

  void add_submitter(Stream& stream) REPRISE_EXCLUDES(mutex_);
  // The stream is being destroyed; its queued work still runs.
  void depart(Stream& stream) REPRISE_EXCLUDES(mutex_);

  // Makes the legacy stream's lane wait for the work that the blocking streams have submitted since the last call.
  void order_legacy(exec::Lane& legacy_lane) REPRISE_EXCLUDES(mutex_);
  bool has_submitters() const { return submitter_count_.load(std::memory_order_seq_cst) != 0; }
  // Whether all work of the blocking streams is done.
  bool blocking_streams_idle() REPRISE_EXCLUDES(mutex_);

  // A blocking stream begins or ends capturing; meanwhile the legacy stream cannot be used. The caller holds
  // capture_mutex().
  void blocking_capture_began();
  void blocking_capture_ended();

  // Markers of all work of the device that is not done.
  std::vector<exec::Marker> all_work() REPRISE_EXCLUDES(mutex_);
  // Takes the errors of the device's streams that no call has returned yet, and returns one; see Stream::take_error().
  cudaError_t take_failures();

  // How threads wait for this device: cudaDeviceScheduleBlockingSync and its like.
  void set_wait_policy(exec::WaitPolicy wait_policy) { wait_policy_.store(wait_policy, std::memory_order_relaxed); }
  exec::WaitPolicy wait_policy() const { return wait_policy_.load(std::memory_order_relaxed); }

 private:
  explicit DeviceStreams(int device) : device_(device) {}
  void count_submitters() REPRISE_REQUIRES(mutex_) {
    submitter_count_.store(submitters_.size() + departed_submitters_.size(), std::memory_order_seq_cst);
  }

  const int device_;
  size_t blocking_captures_ = 0;  // guarded by capture_mutex()
  std::atomic<Stream*> legacy_{nullptr};
  std::atomic<size_t> submitter_count_{0};
  std::atomic<exec::WaitPolicy> wait_policy_{exec::WaitPolicy::spin};
  Mutex mutex_;
  std::vector<Stream*> submitters_ REPRISE_GUARDED_BY(mutex_);
  std::vector<exec::Marker> departed_ REPRISE_GUARDED_BY(mutex_);
  std::vector<exec::Marker> departed_submitters_ REPRISE_GUARDED_BY(mutex_);
};

// Waits for all work of the device.
void finish_work(int device);
// The same. Returns its sticky error, or an error of one of its streams.
[[nodiscard]] cudaError_t synchronize_device(int device);

// Destroys every stream that the program created on the device, after its work is done. For cudaDeviceReset.
void destroy_streams(int device);

}  // namespace reprise_runtime::stream
