// Queues of work for the device. On the CUDA API alone.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/current_stream.h>
#include <reprise/error.h>
#include <reprise/event.h>

#include <atomic>
#include <utility>

namespace reprise {

// Someone else's stream; without an argument the legacy default stream.
class StreamRef {
 public:
  StreamRef(cudaStream_t stream = nullptr) : stream_(stream) {}

  cudaStream_t get() const { return stream_; }
  operator cudaStream_t() const { return stream_; }

  void synchronize() const { check_cuda(cudaStreamSynchronize(stream_), "waiting for a stream"); }
  bool is_done() const {
    cudaError_t state = cudaStreamQuery(stream_);
    if (state == cudaErrorNotReady) return false;
    check_cuda(state, "asking whether a stream is done");
    return true;
  }

  void record(EventRef event) const { check_cuda(cudaEventRecord(event, stream_), "recording an event on a stream"); }
  // What is submitted from now on runs after what the event recorded.
  void wait(EventRef event) const {
    check_cuda(cudaStreamWaitEvent(stream_, event, 0), "making a stream wait for an event");
  }
  // ... after all that `other` was given so far. During a capture of `other` this joins its capture.
  void wait(StreamRef other) const {
    Event event;
    other.record(event);
    wait(event.ref());
  }

 private:
  cudaStream_t stream_;
};

// Called with the handle of every Stream, by whoever keeps things for streams: after it is created, and before it is
// destroyed.
struct StreamHooks {
  std::atomic<void (*)(cudaStream_t)> created{nullptr};
  std::atomic<void (*)(cudaStream_t)> destroying{nullptr};
};
inline StreamHooks stream_hooks;

// A stream of its own, which does not wait for the legacy default stream.
class Stream {
 public:
  // Lower numbers come first, as CUDA has it; 0 is ordinary.
  explicit Stream(int priority = 0) {
    check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority), "creating a stream");
    if (auto hook = stream_hooks.created.load()) hook(stream_);
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  // What was submitted still runs. If tensors used the stream, it is waited for.
  ~Stream() {
    if (!stream_) return;
    if (auto hook = stream_hooks.destroying.load()) hook(stream_);
    cudaStreamDestroy(stream_);
  }

  StreamRef ref() const { return stream_; }
  operator StreamRef() const { return stream_; }
  cudaStream_t get() const { return stream_; }
  void synchronize() const { ref().synchronize(); }
  bool is_done() const { return ref().is_done(); }
  void record(EventRef event) const { ref().record(event); }
  void wait(EventRef event) const { ref().wait(event); }
  void wait(StreamRef other) const { ref().wait(other); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace reprise
