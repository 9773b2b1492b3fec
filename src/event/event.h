// An event: a position in the work of a stream, set by each record.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. latest_ numbers the records; marker_ belongs to the latest of them once its place in a stream is known.
//  2. A time stamp counts only if it was taken by the latest record.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <memory>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "base/status.h"
#include "event/shared_event.h"
#include "exec/progress.h"
#include "exec/wait.h"

namespace reprise_runtime::event {

// Stands for the record of an event in a capture. The stream layer defines its content.
struct CapturedRecord {
  virtual ~CapturedRecord() = default;
};

class Event : public Handled<Event> {
 public:
  static constexpr HandleType handle_type = HandleType::event;

  // `shared` for events that other processes can open.
  Event(unsigned flags, int device, Ref<SharedEvent> shared)
      : flags_(flags), device_(device), shared_(std::move(shared)) {}

  unsigned flags() const { return flags_; }
  int device() const { return device_; }
  bool timed() const { return !(flags_ & cudaEventDisableTiming); }
  const Ref<SharedEvent>& shared() const { return shared_; }
  // How cudaEventSynchronize waits.
  exec::WaitPolicy wait_policy() const {
    return flags_ & cudaEventBlockingSync ? exec::WaitPolicy::sleep : exec::WaitPolicy::spin;
  }
  // Whether a record runs as a task of its stream. If not, its position in the stream is enough.
  bool needs_task() const { return timed() || shared_; }

  struct Record {
    uint64_t number = 0;  // among this event's records
    uint64_t shared = 0;  // among those of all processes
  };
  // The three phases of a record: it begins, gets its position, and finishes when the stream reaches that position.
  Record begin_record() REPRISE_EXCLUDES(mutex_);
  void place_record(const Record& record, const exec::Marker& marker) REPRISE_EXCLUDES(mutex_);
  void finish_record(const Record& record) REPRISE_EXCLUDES(mutex_);

  // All three at once, for events that need no task: the record's position is the marker.
  void record_at(const exec::Marker& marker) REPRISE_EXCLUDES(mutex_);
  // All three at once: the event is reached now. For records inside a graph, where the prior work is done.
  void record_now() REPRISE_EXCLUDES(mutex_);

  // The latest record, if it belongs to a capture; else null.
  void record_captured(std::shared_ptr<CapturedRecord> record) REPRISE_EXCLUDES(mutex_);
  std::shared_ptr<CapturedRecord> captured() REPRISE_EXCLUDES(mutex_);
  bool is_captured() const { return is_captured_.load(std::memory_order_relaxed); }
  bool ever_recorded() REPRISE_EXCLUDES(mutex_);

  // The current position of the event: in the work of this process, or a record of another process.
  struct Point {
    exec::Marker marker;
    Ref<SharedEvent> shared;  // null: the marker is the position
    uint64_t shared_record = 0;

    bool reached() const { return shared ? shared->completed() >= shared_record : marker.reached(); }
    void wait(exec::WaitPolicy wait_policy) const;
  };
  Point point() REPRISE_EXCLUDES(mutex_);
  // Whether the event is reached, for a caller that does not wait. Leaves the prior work to a worker.
  bool poll() REPRISE_EXCLUDES(mutex_);

  // The time of the latest record in nanoseconds. Returns cudaErrorInvalidResourceHandle without a record or timing,
  // and cudaErrorNotReady while the record is not finished.
  Result<uint64_t> time() REPRISE_EXCLUDES(mutex_);

 private:
  // A record outside captures replaces a captured one.
  void forget_captured() REPRISE_REQUIRES(mutex_) {
    if (!captured_) return;
    captured_.reset();
    is_captured_.store(false, std::memory_order_relaxed);
  }

  const unsigned flags_;
  const int device_;
  const Ref<SharedEvent> shared_;

  std::atomic<bool> is_captured_{false};
  Mutex mutex_;
  std::shared_ptr<CapturedRecord> captured_ REPRISE_GUARDED_BY(mutex_);
  Record latest_ REPRISE_GUARDED_BY(mutex_);
  exec::Marker marker_ REPRISE_GUARDED_BY(mutex_);
  uint64_t stamped_ REPRISE_GUARDED_BY(mutex_) = 0;  // which record took the stamp
  uint64_t stamp_ns_ REPRISE_GUARDED_BY(mutex_) = 0;
};

Result<Ref<Event>> create(unsigned flags, int device);
Result<Ref<Event>> open(const cudaIpcEventHandle_t& handle, int device);
// Returns cudaErrorInvalidResourceHandle for a handle that never named an event, and cudaErrorContextIsDestroyed for
// that of a destroyed one.
Result<Ref<Event>> find(cudaEvent_t handle);
[[nodiscard]] cudaError_t destroy(cudaEvent_t handle);
// Destroys every event of the device. For cudaDeviceReset.
void destroy_events(int device);

// Returns the time between two events in milliseconds.
Result<float> elapsed(Event& from, Event& to);

}  // namespace reprise_runtime::event
