// The streams of one device: its legacy stream, and who must wait for whom because of it.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. A blocking stream with work submitted since the legacy stream last looked is in submitters_, and its flag is set.
//     A stream submits and then looks at its flag; the legacy stream clears the flag and then looks at what is
//     submitted: one of the two sees the other.
//  2. submitter_count_ falls to 0 only after the legacy lane has been told to wait for them all: who reads 0 submits
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

  // Made when it is first asked for, and never destroyed.
  Stream& legacy();
  // Null while there is none: nothing to wait for yet.
  Stream* legacy_if_made() { return legacy_.load(std::memory_order_acquire); }

  void add_submitter(Stream& stream) REPRISE_EXCLUDES(mutex_);
  // The stream is going; its work goes on.
  void depart(Stream& stream) REPRISE_EXCLUDES(mutex_);

  // Makes the legacy stream's lane wait for what the blocking streams have submitted since the last time.
  void order_legacy(exec::Lane& legacy_lane) REPRISE_EXCLUDES(mutex_);
  bool has_submitters() const { return submitter_count_.load(std::memory_order_seq_cst) != 0; }
  // Whether all of that is done.
  bool blocking_streams_idle() REPRISE_EXCLUDES(mutex_);

  // A blocking stream captures, or does no longer: the legacy stream cannot be used meanwhile. With capture_mutex()
  // held.
  void blocking_capture_began();
  void blocking_capture_ended();

  // The last items of all work of the device that is not done.
  std::vector<exec::Marker> all_work() REPRISE_EXCLUDES(mutex_);
  // What went wrong in one stream or another and has not been told; see Stream::error_to_tell().
  cudaError_t take_failures();

  // How threads wait for this device: cudaDeviceScheduleBlockingSync and its like.
  void set_patience(exec::Patience patience) { patience_.store(patience, std::memory_order_relaxed); }
  exec::Patience patience() const { return patience_.load(std::memory_order_relaxed); }

 private:
  explicit DeviceStreams(int device) : device_(device) {}
  void count_submitters() REPRISE_REQUIRES(mutex_) {
    submitter_count_.store(submitters_.size() + departed_submitters_.size(), std::memory_order_seq_cst);
  }

  const int device_;
  size_t blocking_captures_ = 0;  // belongs to who holds capture_mutex()
  std::atomic<Stream*> legacy_{nullptr};
  std::atomic<size_t> submitter_count_{0};
  std::atomic<exec::Patience> patience_{exec::Patience::spin};
  Mutex mutex_;
  std::vector<Stream*> submitters_ REPRISE_GUARDED_BY(mutex_);
  std::vector<exec::Marker> departed_ REPRISE_GUARDED_BY(mutex_);
  std::vector<exec::Marker> departed_submitters_ REPRISE_GUARDED_BY(mutex_);
};

// Waits for all work of the device; its sticky error, if it has one then.
[[nodiscard]] cudaError_t synchronize_device(int device);

// Destroys every stream of the device that users have made, after its work is done. For cudaDeviceReset.
void destroy_streams(int device);

}  // namespace reprise_runtime::stream
