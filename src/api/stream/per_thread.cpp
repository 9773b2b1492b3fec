// The entry points of programs whose stream 0 is the calling thread's own (CUDA_API_PER_THREAD_DEFAULT_STREAM).
#include <cuda_runtime_api.h>

namespace {

cudaStream_t own(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

}  // namespace

extern "C" {

#define PTSZ REPRISE_EXPORT cudaError_t

PTSZ cudaStreamQuery_ptsz(cudaStream_t stream) { return cudaStreamQuery(own(stream)); }
PTSZ cudaStreamSynchronize_ptsz(cudaStream_t stream) { return cudaStreamSynchronize(own(stream)); }
PTSZ cudaStreamGetDevice_ptsz(cudaStream_t stream, int* device) { return cudaStreamGetDevice(own(stream), device); }
PTSZ cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned* flags) { return cudaStreamGetFlags(own(stream), flags); }
PTSZ cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long* id) { return cudaStreamGetId(own(stream), id); }
PTSZ cudaStreamGetPriority_ptsz(cudaStream_t stream, int* priority) {
  return cudaStreamGetPriority(own(stream), priority);
}
PTSZ cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from) {
  return cudaStreamCopyAttributes(own(to), own(from));
}
PTSZ cudaStreamGetAttribute_ptsz(cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  return cudaStreamGetAttribute(own(stream), id, value);
}
PTSZ cudaStreamSetAttribute_ptsz(cudaStream_t stream, cudaLaunchAttributeID id, const cudaLaunchAttributeValue* value) {
  return cudaStreamSetAttribute(own(stream), id, value);
}
PTSZ cudaStreamIsCapturing_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamIsCapturing(own(stream), status);
}
PTSZ cudaStreamGetCaptureInfo_ptsz(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                   cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                   const cudaGraphEdgeData** edges, size_t* count) {
  return cudaStreamGetCaptureInfo(own(stream), status, id, graph, dependencies, edges, count);
}
PTSZ cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return cudaStreamWaitEvent(own(stream), event, flags);
}
PTSZ cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned flags) {
  return cudaStreamAddCallback(own(stream), callback, user_data, flags);
}
PTSZ cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream) { return cudaEventRecord(event, own(stream)); }
PTSZ cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return cudaEventRecordWithFlags(event, own(stream), flags);
}
PTSZ cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return cudaLaunchHostFunc(own(stream), function, user_data);
}
PTSZ cudaLaunchKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                           cudaStream_t stream) {
  return cudaLaunchKernel(function, grid, block, arguments, shared, own(stream));
}
PTSZ cudaLaunchCooperativeKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                      cudaStream_t stream) {
  return cudaLaunchCooperativeKernel(function, grid, block, arguments, shared, own(stream));
}
PTSZ cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (!config) return cudaLaunchKernelExC(config, function, arguments);
  cudaLaunchConfig_t copy = *config;
  copy.stream = own(copy.stream);
  return cudaLaunchKernelExC(&copy, function, arguments);
}

#undef PTSZ

}  // extern "C"
