// The stream on which this thread's operations go: the legacy stream, unless a StreamGuard says otherwise.
#pragma once

#include <cuda_runtime_api.h>

namespace reprise {

cudaStream_t current_stream();

// Makes `stream` the current one of this thread until it is destroyed.
class StreamGuard {
public:
  explicit StreamGuard(cudaStream_t stream);
  ~StreamGuard();
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

private:
  cudaStream_t before_;
};

}  // namespace reprise
