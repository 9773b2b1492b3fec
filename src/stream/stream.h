// A stream: a queue of work that runs in order, asynchronously to the caller.
//
// Thread safety: every function may be called from any thread. Work submitted by one thread after another (in the sense
// of the language's happens-before) runs in that order.
//
// Invariants
//  1. A blocking stream's work follows all that was submitted to its device's legacy stream before it, and the legacy
//     stream's work follows all that was submitted to the blocking streams before it.
//  2. Work outlives the stream: a destroyed stream accepts no more work, and its queued work still runs.
#pragma once

#include <driver_types.h>

#include <atomic>

#include "base/handle_table.h"
#include "base/last_error.h"
#include "base/mutex.h"
#include "base/status.h"
#include "event/event.h"
#include "exec/lane.h"
#include "exec/wait.h"
#include "kernel/launch_attributes.h"
#include "op/op.h"
#include "op/traced_op.h"
#include "stream/priority.h"

namespace reprise_runtime::stream {

struct CapturePart;
class DeviceStreams;

// Guards all captures; see capture.h.
inline constinit Mutex capture_lock;
inline Mutex& capture_mutex() REPRISE_RETURN_CAPABILITY(capture_lock) { return capture_lock; }

enum class Kind { legacy, per_thread, blocking, non_blocking };

class Stream : public Handled<Stream> {
 public:
  static constexpr HandleType handle_type = HandleType::stream;

  Stream(Kind kind, int device, int priority);
  ~Stream();

  Kind kind() const { return kind_; }
  int device() const { return device_; }
  uint64_t id() const { return id_; }
  unsigned flags() const { return kind_ == Kind::non_blocking ? cudaStreamNonBlocking : cudaStreamDefault; }
  int priority() const { return priority_.load(std::memory_order_relaxed); }
  void set_priority(int priority);

  // Queues an operation, or appends it to the capture that the stream is part of. T is an alternative of op::Op.
  template <class T>
  [[nodiscard]] cudaError_t submit(T&& op) {
    if (may_capture()) [[unlikely]] {
      MutexLock lock(capture_mutex());
      if (capture()) return append_to_capture(std::forward<T>(op));
    }
    order();
    enqueue(std::forward<T>(op));
    submitted();
    return cudaSuccess;
  }

  // Runs a short operation on the calling thread if the stream is idle. Returns false if it is busy or capturing.
  template <class T>
  bool run_at_once(const T& op) {
    if (may_capture()) [[unlikely]]
      return false;
    order();
    if (diagnose::tracing) [[unlikely]]
      return run_traced_at_once(op);
    return lane_.run_if_idle([&] { op.run(op::Context{device_}); });
  }

  // Whether the stream may be capturing; and its part in the capture, or null, for callers that hold capture_mutex().
  bool may_capture() const { return capture_.load(std::memory_order_relaxed) != nullptr; }
  CapturePart* capture() const { return capture_.load(std::memory_order_relaxed); }
  void set_capture(CapturePart* part) { capture_.store(part, std::memory_order_relaxed); }

  // Queues a task that cannot be captured: callbacks, and the library's own work. Returns a marker of its end.
  template <class Task>
  exec::Marker submit_task(Task task) {
    order();
    const uint64_t number = lane_.submit(std::move(task));
    submitted();
    return lane_.at(number);
  }

  // Whether all submitted work is done; for the legacy stream also that of the blocking streams.
  bool idle();
  // For calls that have waited for the stream: the sticky error of the device, or the stream's own error, once.
  cudaError_t take_error() {
    const cudaError_t sticky = sticky_error(device_);
    return sticky != cudaSuccess ? sticky : static_cast<cudaError_t>(lane_.take_failure());
  }
  void synchronize();

  // A marker of the last item, for others to wait for; and a wait of the stream for a marker.
  exec::Marker last() {
    order();
    return lane_.last();
  }
  void wait_for(const exec::Marker& marker) {
    order();
    lane_.submit_wait(marker);
    submitted();
  }

  exec::Lane& lane() { return lane_; }

  // The stream's handle was destroyed: DeviceStreams keeps track of its remaining work.
  void depart();

  // The attributes of cudaStreamSetAttribute.
  [[nodiscard]] cudaError_t set_attribute(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value)
      REPRISE_EXCLUDES(attribute_mutex_);
  [[nodiscard]] cudaError_t get_attribute(cudaLaunchAttributeID id, cudaLaunchAttributeValue* value)
      REPRISE_EXCLUDES(attribute_mutex_);
  void copy_attributes(Stream& from) REPRISE_EXCLUDES(attribute_mutex_);
  // Whether the stream has attributes that its captured kernels inherit.
  bool has_attributes() const {
    return has_attributes_.load(std::memory_order_relaxed) || priority() != least_priority;
  }

 private:
  friend class DeviceStreams;

  template <class T>
  struct RunOp {
    T op;
    int device;
    void operator()(exec::Lane&) const { op.run(op::Context{device}); }
  };
  template <class T>
  void enqueue(T&& op)
    requires(!std::is_same_v<std::decay_t<T>, op::EventRecord> && !std::is_same_v<std::decay_t<T>, op::EventWait>)
  {
    if (diagnose::tracing) [[unlikely]]
      return enqueue_traced(std::forward<T>(op));
    lane_.emplace<RunOp<std::decay_t<T>>>(std::forward<T>(op), device_);
  }
  template <class T>
  [[gnu::cold, gnu::noinline]] void enqueue_traced(T&& op) {
    lane_.emplace<op::TracedOp<std::decay_t<T>>>(std::forward<T>(op), device_, static_cast<uint32_t>(id_),
                                                 diagnose::next_submission());
  }
  void enqueue(const op::EventRecord& record);
  void enqueue(const op::EventWait& wait);

  // Before a submission: orders it after the legacy stream, or after the blocking streams. After it: registers it with
  // the legacy stream.
  void order() {
    if (kind_ == Kind::legacy) {
      order_after_blocking_streams();
    } else if (kind_ != Kind::non_blocking) {
      order_after_legacy_stream();
    }
  }
  void submitted() {
    if (kind_ == Kind::blocking || kind_ == Kind::per_thread) note_submission();
  }
  void order_after_blocking_streams();
  void order_after_legacy_stream();
  void note_submission();
  exec::WaitPolicy wait_policy();

  template <class T>
  [[gnu::cold, gnu::noinline]] bool run_traced_at_once(const T& op) {
    return lane_.run_if_idle([&] {
      diagnose::TraceEvent event = op::trace_event_of(op);
      event.track = static_cast<uint32_t>(id_);
      diagnose::TraceScope scope(event);
      op.run(op::Context{device_});
    });
  }

  // The caller holds capture_mutex(), and the stream has a part.
  [[nodiscard]] cudaError_t append_to_capture(op::Kernel&& kernel);
  [[nodiscard]] cudaError_t append_to_capture(op::Op op);

  // Constant after construction.
  const Kind kind_;
  const int device_;
  const uint64_t id_;
  exec::Lane& lane_;
  DeviceStreams& siblings_;

  std::atomic<CapturePart*> capture_{nullptr};
  std::atomic<uint64_t> legacy_waited_{0};  // the item of the legacy stream that this stream waits for
  std::atomic<bool> in_submitters_{false};  // listed in DeviceStreams as having work the legacy stream must see
  std::atomic<int> priority_;
  std::atomic<bool> has_attributes_{false};  // some were set
  std::atomic<cudaSynchronizationPolicy> policy_{cudaSyncPolicyAuto};

  Mutex attribute_mutex_;
  kernel::LaunchAttributes attributes_ REPRISE_GUARDED_BY(attribute_mutex_);
};

Result<Ref<Stream>> create(unsigned flags, int priority, int device);
[[nodiscard]] cudaError_t destroy(cudaStream_t handle);

// The stream of a handle: null and cudaStreamLegacy name the current device's legacy stream, cudaStreamPerThread the
// calling thread's own. cudaErrorInvalidResourceHandle if it is no stream, cudaErrorContextIsDestroyed if it was one.
Result<Ref<Stream>> find(cudaStream_t handle);
// The same without an explanation: null for a handle that names no stream.
Ref<Stream> look_up(cudaStream_t handle);

// The same without counting a reference: valid until the calling thread borrows again. For calls that use one stream.
Result<Stream*> borrow(cudaStream_t handle);

}  // namespace reprise_runtime::stream
