// Types that the driver API and the runtime API define alike: one row each. as_runtime gives the runtime's view of a
// value, or of what a pointer leads to.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <bit>

namespace reprise_runtime::driver {

#define SAME_LAYOUT(driver_type, runtime_type)                                                                 \
  static_assert(sizeof(driver_type) == sizeof(runtime_type) && alignof(driver_type) == alignof(runtime_type)); \
  inline runtime_type as_runtime(driver_type value) { return std::bit_cast<runtime_type>(value); }             \
  inline runtime_type* as_runtime(driver_type* place) { return reinterpret_cast<runtime_type*>(place); }       \
  inline const runtime_type* as_runtime(const driver_type* place) {                                            \
    return reinterpret_cast<const runtime_type*>(place);                                                       \
  }                                                                                                            \
  inline const runtime_type** as_runtime(const driver_type** place) {                                          \
    return reinterpret_cast<const runtime_type**>(place);                                                      \
  }

SAME_LAYOUT(CUasyncCallback, cudaAsyncCallback)
SAME_LAYOUT(CUasyncCallbackHandle, cudaAsyncCallbackHandle_t)
SAME_LAYOUT(CUatomicOperation, cudaAtomicOperation)
SAME_LAYOUT(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, cudaExternalSemaphoreHandleDesc)
SAME_LAYOUT(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, cudaExternalSemaphoreSignalParams)
SAME_LAYOUT(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, cudaExternalSemaphoreWaitParams)
SAME_LAYOUT(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, cudaExternalSemaphoreSignalNodeParams)
SAME_LAYOUT(CUDA_EXT_SEM_WAIT_NODE_PARAMS, cudaExternalSemaphoreWaitNodeParams)
SAME_LAYOUT(CUDA_HOST_NODE_PARAMS, cudaHostNodeParams)
SAME_LAYOUT(CUDA_MEMCPY3D_BATCH_OP, cudaMemcpy3DBatchOp)
SAME_LAYOUT(CUDA_MEM_ALLOC_NODE_PARAMS, cudaMemAllocNodeParams)
SAME_LAYOUT(CUdevice_P2PAttribute, cudaDeviceP2PAttr)
SAME_LAYOUT(CUdevice_attribute, cudaDeviceAttr)
SAME_LAYOUT(CUexternalSemaphore, cudaExternalSemaphore_t)
SAME_LAYOUT(CUflushGPUDirectRDMAWritesScope, cudaFlushGPUDirectRDMAWritesScope)
SAME_LAYOUT(CUflushGPUDirectRDMAWritesTarget, cudaFlushGPUDirectRDMAWritesTarget)
SAME_LAYOUT(CUfunc_cache, cudaFuncCache)
SAME_LAYOUT(CUfunction_attribute, cudaFuncAttribute)
SAME_LAYOUT(CUgraphConditionalNodeType, cudaGraphConditionalNodeType)
SAME_LAYOUT(CUgraphEdgeData, cudaGraphEdgeData)
SAME_LAYOUT(CUgraphExecUpdateResultInfo, cudaGraphExecUpdateResultInfo)
SAME_LAYOUT(CUgraphMem_attribute, cudaGraphMemAttributeType)
SAME_LAYOUT(CUgraphNodeType, cudaGraphNodeType)
SAME_LAYOUT(CUipcEventHandle, cudaIpcEventHandle_t)
SAME_LAYOUT(CUipcMemHandle, cudaIpcMemHandle_t)
SAME_LAYOUT(CUlaunchAttribute, cudaLaunchAttribute)
SAME_LAYOUT(CUlaunchAttributeID, cudaLaunchAttributeID)
SAME_LAYOUT(CUlaunchAttributeValue, cudaLaunchAttributeValue)
SAME_LAYOUT(CUlimit, cudaLimit)
SAME_LAYOUT(CUmemAccessDesc, cudaMemAccessDesc)
SAME_LAYOUT(CUmemAccess_flags, cudaMemAccessFlags)
SAME_LAYOUT(CUmemAllocationHandleType, cudaMemAllocationHandleType)
SAME_LAYOUT(CUmemAllocationType, cudaMemAllocationType)
SAME_LAYOUT(CUmemLocation, cudaMemLocation)
SAME_LAYOUT(CUmemPoolProps, cudaMemPoolProps)
SAME_LAYOUT(CUmemPoolPtrExportData, cudaMemPoolPtrExportData)
SAME_LAYOUT(CUmemPool_attribute, cudaMemPoolAttr)
SAME_LAYOUT(CUmem_advise, cudaMemoryAdvise)
SAME_LAYOUT(CUmem_range_attribute, cudaMemRangeAttribute)
SAME_LAYOUT(CUmemcpyAttributes, cudaMemcpyAttributes)
SAME_LAYOUT(CUsharedconfig, cudaSharedMemConfig)
SAME_LAYOUT(CUstreamCaptureMode, cudaStreamCaptureMode)
SAME_LAYOUT(CUstreamCaptureStatus, cudaStreamCaptureStatus)
SAME_LAYOUT(cuuint64_t, unsigned long long)

#undef SAME_LAYOUT

}  // namespace reprise_runtime::driver
