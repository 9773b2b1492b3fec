// The stream on which this thread's operations go: the legacy stream, unless a StreamGuard says otherwise.
#pragma once

#include <cuda_runtime_api.h>

namespace reprise {

cudaStream_t current_stream();

// Makes `stream` the current one of this thread until it is destroyed, by the same thread. Guards may go in any order:
// the current stream is that of the youngest.
class StreamGuard {
 public:
  explicit StreamGuard(cudaStream_t stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

  // What this thread's guards made current of `stream`, which is about to go, is from now on `by`.
  static void replace(cudaStream_t stream, cudaStream_t by);

 private:
  cudaStream_t stream_;
  StreamGuard* before_;
};

}  // namespace reprise
