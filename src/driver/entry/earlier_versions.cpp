// Calls as earlier versions of CUDA had them, for programs compiled then and for those that ask cuGetProcAddress for
// one. Each fills in what its newest version takes beside.
#include "driver/entry/entry.h"

#undef cuCtxCreate
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphAddNode
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuStreamBeginCapture
#undef cuEventElapsedTime
#undef cuGetProcAddress
#undef cuMemcpyBatchAsync
#undef cuMemcpy3DBatchAsync
#undef cuCtxDestroy
#undef cuCtxPopCurrent
#undef cuCtxPushCurrent
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuDeviceGetUuid
#undef cuIpcOpenMemHandle

namespace {

CUDA_KERNEL_NODE_PARAMS widened(const CUDA_KERNEL_NODE_PARAMS_v1& from) {
  return {from.func,      from.gridDimX,       from.gridDimY,     from.gridDimZ, from.blockDimX, from.blockDimY,
          from.blockDimZ, from.sharedMemBytes, from.kernelParams, from.extra,    nullptr,        nullptr};
}
CUDA_KERNEL_NODE_PARAMS_v1 narrowed(const CUDA_KERNEL_NODE_PARAMS& from) {
  return {from.func,      from.gridDimX,  from.gridDimY,       from.gridDimZ,     from.blockDimX,
          from.blockDimY, from.blockDimZ, from.sharedMemBytes, from.kernelParams, from.extra};
}

CUstream per_thread(CUstream stream) { return stream ? stream : CU_STREAM_PER_THREAD; }

// A device's number, where CU_DEVICE_CPU is the host.
CUmemLocation location_of(CUdevice device) {
  CUmemLocation location{};
  location.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device == CU_DEVICE_CPU ? 0 : device;
  return location;
}

}  // namespace

extern "C" {

REPRISE_EXPORT CUresult cuCtxCreate_v2(CUcontext* pctx, unsigned int flags, CUdevice dev) {
  return cuCtxCreate_v4(pctx, nullptr, flags, dev);
}
REPRISE_EXPORT CUresult cuCtxCreate_v3(CUcontext* pctx, CUexecAffinityParam* paramsArray, int numParams,
                                       unsigned int flags, CUdevice dev) {
  CUctxCreateParams parameters{};
  parameters.execAffinityParams = numParams > 0 ? paramsArray : nullptr;
  parameters.numExecAffinityParams = numParams;
  return cuCtxCreate_v4(pctx, &parameters, flags, dev);
}

REPRISE_EXPORT CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                               size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
REPRISE_EXPORT CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                                  size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
REPRISE_EXPORT CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}
REPRISE_EXPORT CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}
REPRISE_EXPORT CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* nodes, size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}
REPRISE_EXPORT CUresult cuGraphAddNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                                       CUgraphNodeParams* parameters) {
  return cuGraphAddNode_v2(out, graph, dependencies, nullptr, count, parameters);
}

// The log buffer stays empty: the reason is in the log.
REPRISE_EXPORT CUresult cuGraphInstantiate_v2(CUgraphExec* out, CUgraph graph, CUgraphNode* error_node, char* buffer,
                                              size_t size) {
  CUDA_GRAPH_INSTANTIATE_PARAMS parameters{};
  const CUresult result = cuGraphInstantiateWithParams(out, graph, &parameters);
  if (error_node) *error_node = parameters.hErrNode_out;
  if (buffer && size > 0) *buffer = '\0';
  return result;
}
REPRISE_EXPORT CUresult cuGraphInstantiate(CUgraphExec* out, CUgraph graph, CUgraphNode* error_node, char* buffer,
                                           size_t size) {
  return cuGraphInstantiate_v2(out, graph, error_node, buffer, size);
}
REPRISE_EXPORT CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* error_node,
                                          CUgraphExecUpdateResult* update) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult result = cuGraphExecUpdate_v2(exec, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (update) *update = info.result;
  return result;
}

REPRISE_EXPORT CUresult cuGraphAddKernelNode(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies,
                                             size_t count, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  if (!parameters) return cuGraphAddKernelNode_v2(out, graph, dependencies, count, nullptr);
  const CUDA_KERNEL_NODE_PARAMS wide = widened(*parameters);
  return cuGraphAddKernelNode_v2(out, graph, dependencies, count, &wide);
}
REPRISE_EXPORT CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  CUDA_KERNEL_NODE_PARAMS wide{};
  const CUresult result = cuGraphKernelNodeGetParams_v2(node, parameters ? &wide : nullptr);
  if (result == CUDA_SUCCESS) *parameters = narrowed(wide);
  return result;
}
REPRISE_EXPORT CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  if (!parameters) return cuGraphKernelNodeSetParams_v2(node, nullptr);
  const CUDA_KERNEL_NODE_PARAMS wide = widened(*parameters);
  return cuGraphKernelNodeSetParams_v2(node, &wide);
}
REPRISE_EXPORT CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                       const CUDA_KERNEL_NODE_PARAMS_v1* parameters) {
  if (!parameters) return cuGraphExecKernelNodeSetParams_v2(exec, node, nullptr);
  const CUDA_KERNEL_NODE_PARAMS wide = widened(*parameters);
  return cuGraphExecKernelNodeSetParams_v2(exec, node, &wide);
}

REPRISE_EXPORT CUresult cuMemAdvise(CUdeviceptr address, size_t count, CUmem_advise advice, CUdevice device) {
  return cuMemAdvise_v2(address, count, advice, location_of(device));
}
REPRISE_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t count, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync_v2(address, count, location_of(device), 0, stream);
}

REPRISE_EXPORT CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
REPRISE_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                                  CUgraph* graph, const CUgraphNode** dependencies, size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}
REPRISE_EXPORT CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count,
                                                          unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}
REPRISE_EXPORT CUresult cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
REPRISE_EXPORT CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}

// Forms that tell which copy of a batch failed. As the newest ones do, these check all copies before the first.
REPRISE_EXPORT CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                                           CUmemcpyAttributes* attributes, size_t* first_of_attribute,
                                           size_t attribute_count, size_t* failed, CUstream stream) {
  if (failed) *failed = SIZE_MAX;
  return cuMemcpyBatchAsync_v2(to, from, sizes, count, attributes, first_of_attribute, attribute_count, stream);
}
REPRISE_EXPORT CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                                                CUmemcpyAttributes* attributes, size_t* first_of_attribute,
                                                size_t attribute_count, size_t* failed, CUstream stream) {
  return cuMemcpyBatchAsync(to, from, sizes, count, attributes, first_of_attribute, attribute_count, failed,
                            per_thread(stream));
}
REPRISE_EXPORT CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed,
                                             unsigned long long flags, CUstream stream) {
  if (failed) *failed = SIZE_MAX;
  return cuMemcpy3DBatchAsync_v2(count, operations, flags, stream);
}
REPRISE_EXPORT CUresult cuMemcpy3DBatchAsync_ptsz(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed,
                                                  unsigned long long flags, CUstream stream) {
  return cuMemcpy3DBatchAsync(count, operations, failed, flags, per_thread(stream));
}

REPRISE_EXPORT CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr address, size_t count, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync(address, count, device, per_thread(stream));
}
REPRISE_EXPORT CUresult cuStreamBeginCapture_ptsz(CUstream stream) { return cuStreamBeginCapture(per_thread(stream)); }
REPRISE_EXPORT CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id) {
  return cuStreamGetCaptureInfo(per_thread(stream), status, id);
}
REPRISE_EXPORT CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                                       CUgraph* graph, const CUgraphNode** dependencies,
                                                       size_t* count) {
  return cuStreamGetCaptureInfo_v2(per_thread(stream), status, id, graph, dependencies, count);
}
REPRISE_EXPORT CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream stream, CUgraphNode* dependencies, size_t count,
                                                               unsigned int flags) {
  return cuStreamUpdateCaptureDependencies(per_thread(stream), dependencies, count, flags);
}

// Names without a version, for programs that look them up with dlsym. The newest forms take the same arguments.
REPRISE_EXPORT CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }
REPRISE_EXPORT CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }
REPRISE_EXPORT CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }
REPRISE_EXPORT CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }
REPRISE_EXPORT CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }
REPRISE_EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }
REPRISE_EXPORT CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }
REPRISE_EXPORT CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}
REPRISE_EXPORT CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }
REPRISE_EXPORT CUresult cuIpcOpenMemHandle(CUdeviceptr* address, CUipcMemHandle handle, unsigned int flags) {
  return cuIpcOpenMemHandle_v2(address, handle, flags);
}

REPRISE_EXPORT CUresult cuGetProcAddress(const char* symbol, void** pfn, int version, cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, pfn, version, flags, nullptr);
}
}
