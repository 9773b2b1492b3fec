// Whether a stream captures. None does yet.
#include <cuda_runtime_api.h>

#include "api/entry.h"
#include "stream/stream.h"

using namespace reprise;

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return api::entry([&] {
    if (!status) return cudaErrorInvalidValue;
    Result<Ref<stream::Stream>> stream = stream::find(handle);
    if (stream.ok()) *status = cudaStreamCaptureStatusNone;
    return stream.status();
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status, unsigned long long*,
                                     cudaGraph_t*, const cudaGraphNode_t**, const cudaGraphEdgeData**, size_t*) {
  return cudaStreamIsCapturing(handle, status);
}
