// Queries of a capture, and changes of the dependencies of its next node.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::stream {

[[nodiscard]] cudaError_t is_capturing(cudaStream_t stream, cudaStreamCaptureStatus* status);

// Output pointers of cudaStreamGetCaptureInfo; all but the status may be null.
struct CaptureInfo {
  cudaStreamCaptureStatus* status;
  unsigned long long* id;
  cudaGraph_t* graph;
  const cudaGraphNode_t** dependencies;
  const cudaGraphEdgeData** data;
  size_t* count;
};
// The returned lists are valid until the stream captures more work.
[[nodiscard]] cudaError_t capture_info(cudaStream_t stream, const CaptureInfo& out);

[[nodiscard]] cudaError_t update_dependencies(cudaStream_t stream, const cudaGraphNode_t* nodes,
                                              const cudaGraphEdgeData* data, size_t count, unsigned flags);

// The calling thread's mode for unsafe calls, exchanged for another.
[[nodiscard]] cudaError_t exchange_thread_mode(cudaStreamCaptureMode* mode);

}  // namespace reprise_runtime::stream
