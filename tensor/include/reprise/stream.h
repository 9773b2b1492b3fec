// RAII wrappers for CUDA streams. They need only the CUDA API.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/current_stream.h>
#include <reprise/error.h>
#include <reprise/event.h>

#include <atomic>
#include <utility>

namespace reprise {

// A stream that is not owned; by default the legacy default stream.
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
  // Work submitted from now on runs after the event.
  void wait(EventRef event) const {
    check_cuda(cudaStreamWaitEvent(stream_, event, 0), "making a stream wait for an event");
  }
  // Work submitted from now on runs after everything submitted to `other` so far. If `other` is capturing, this stream
  // joins its capture.
  void wait(StreamRef other) const {
    Event event;
    other.record(event);
    wait(event.ref());
  }

 private:
  cudaStream_t stream_;
};

// Called with the handle of every Stream after it is created and before it is destroyed. The memory pools use them.
struct StreamHooks {
  std::atomic<void (*)(cudaStream_t)> created{nullptr};
  std::atomic<void (*)(cudaStream_t)> destroying{nullptr};
};
inline StreamHooks stream_hooks;

// Owns a stream that does not synchronize with the legacy default stream.
class Stream {
 public:
  // As in CUDA, a lower number is a higher priority; 0 is the default.
  explicit Stream(int priority = 0) {
    check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority), "creating a stream");
    if (auto hook = stream_hooks.created.load()) hook(stream_);
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  // Submitted work still runs. Waits for it if tensors used the stream.
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
