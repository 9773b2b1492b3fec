// The current stream of this thread, to which operations are submitted: the legacy default stream, unless a StreamGuard
// sets another.
#pragma once

#include <cuda_runtime_api.h>

namespace reprise {

cudaStream_t current_stream();

// Makes `stream` the current stream of this thread for its lifetime. The same thread must destroy it. Guards may be
// destroyed in any order: the current stream is that of the most recent one alive.
class StreamGuard {
 public:
  explicit StreamGuard(cudaStream_t stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

  // Replaces `stream`, which is about to be destroyed, by `by` in all guards of this thread.
  static void replace(cudaStream_t stream, cudaStream_t by);

 private:
  cudaStream_t stream_;
  StreamGuard* before_;
};

}  // namespace reprise
