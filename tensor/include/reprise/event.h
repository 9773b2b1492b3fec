// RAII wrappers for CUDA events. They need only the CUDA API.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/error.h>

#include <utility>

namespace reprise {

// An event that is not owned.
class EventRef {
 public:
  EventRef(cudaEvent_t event) : event_(event) {}

  cudaEvent_t get() const { return event_; }
  operator cudaEvent_t() const { return event_; }

  // Whether the recorded work is done; true for an event that was never recorded.
  bool is_done() const {
    cudaError_t state = cudaEventQuery(event_);
    if (state == cudaErrorNotReady) return false;
    check_cuda(state, "asking whether an event is done");
    return true;
  }
  void synchronize() const { check_cuda(cudaEventSynchronize(event_), "waiting for an event"); }

  // Milliseconds from `begin` to this event. Both need Event::timed().
  float since(EventRef begin) const {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "measuring the time between two events");
    return milliseconds;
  }

 private:
  cudaEvent_t event_;
};

// Owns an event. Only events created by timed() record times; others are cheaper to record.
class Event {
 public:
  Event() : Event(cudaEventDisableTiming) {}
  static Event timed() { return Event(cudaEventDefault); }
  // Takes ownership of `event`.
  static Event adopt(cudaEvent_t event) {
    Event owner(event, 0);
    return owner;
  }

  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  // Recorded work still completes.
  ~Event() {
    if (event_) cudaEventDestroy(event_);
  }

  EventRef ref() const { return event_; }
  operator EventRef() const { return event_; }
  cudaEvent_t get() const { return event_; }
  bool is_done() const { return ref().is_done(); }
  void synchronize() const { ref().synchronize(); }
  float since(EventRef begin) const { return ref().since(begin); }

 private:
  Event(cudaEvent_t event, int) : event_(event) {}
  explicit Event(unsigned flags) { check_cuda(cudaEventCreateWithFlags(&event_, flags), "creating an event"); }

  cudaEvent_t event_ = nullptr;
};

}  // namespace reprise
