#include "driver/entry/entry_points.h"

// Calls that CUDA has deprecated are still calls.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include <cuda.h>

#include <cstring>

#define ADDRESS(function) reinterpret_cast<void*>(function)
#define JOIN(name, ending) JOIN_VERSIONED(name, ending)
#define JOIN_VERSIONED(name, ending) name##ending

// Of the forms with a default stream per thread only the addresses are needed.
#define DECLARE_PTDS(name) int JOIN(name, _ptds)();
#define DECLARE_PTSZ(name) int JOIN(name, _ptsz)();
extern "C" {
int cuStreamGetCtx_v2_ptsz();
DECLARE_PTSZ(cuEventRecord)
DECLARE_PTSZ(cuEventRecordWithFlags)
DECLARE_PTSZ(cuGraphInstantiateWithParams)
DECLARE_PTSZ(cuGraphLaunch)
DECLARE_PTSZ(cuGraphUpload)
DECLARE_PTSZ(cuGraphicsMapResources)
DECLARE_PTSZ(cuGraphicsUnmapResources)
DECLARE_PTSZ(cuLaunchCooperativeKernel)
DECLARE_PTSZ(cuLaunchHostFunc)
DECLARE_PTSZ(cuLaunchKernel)
DECLARE_PTSZ(cuLaunchKernelEx)
DECLARE_PTSZ(cuMemAllocAsync)
DECLARE_PTSZ(cuMemAllocFromPoolAsync)
DECLARE_PTSZ(cuMemBatchDecompressAsync)
DECLARE_PTSZ(cuMemDiscardAndPrefetchBatchAsync)
DECLARE_PTSZ(cuMemDiscardBatchAsync)
DECLARE_PTSZ(cuMemFreeAsync)
DECLARE_PTSZ(cuMemMapArrayAsync)
DECLARE_PTSZ(cuMemPrefetchAsync)
DECLARE_PTSZ(cuMemPrefetchBatchAsync)
DECLARE_PTDS(cuMemcpy)
DECLARE_PTDS(cuMemcpy2D)
DECLARE_PTSZ(cuMemcpy2DAsync)
DECLARE_PTDS(cuMemcpy2DUnaligned)
DECLARE_PTDS(cuMemcpy3D)
DECLARE_PTSZ(cuMemcpy3DAsync)
DECLARE_PTSZ(cuMemcpy3DBatchAsync)
DECLARE_PTDS(cuMemcpy3DPeer)
DECLARE_PTSZ(cuMemcpy3DPeerAsync)
DECLARE_PTSZ(cuMemcpyAsync)
DECLARE_PTDS(cuMemcpyAtoA)
DECLARE_PTDS(cuMemcpyAtoD)
DECLARE_PTDS(cuMemcpyAtoH)
DECLARE_PTSZ(cuMemcpyAtoHAsync)
DECLARE_PTSZ(cuMemcpyBatchAsync)
DECLARE_PTDS(cuMemcpyDtoA)
DECLARE_PTDS(cuMemcpyDtoD)
DECLARE_PTSZ(cuMemcpyDtoDAsync)
DECLARE_PTDS(cuMemcpyDtoH)
DECLARE_PTSZ(cuMemcpyDtoHAsync)
DECLARE_PTDS(cuMemcpyHtoA)
DECLARE_PTSZ(cuMemcpyHtoAAsync)
DECLARE_PTDS(cuMemcpyHtoD)
DECLARE_PTSZ(cuMemcpyHtoDAsync)
DECLARE_PTDS(cuMemcpyPeer)
DECLARE_PTSZ(cuMemcpyPeerAsync)
DECLARE_PTDS(cuMemsetD16)
DECLARE_PTSZ(cuMemsetD16Async)
DECLARE_PTDS(cuMemsetD2D16)
DECLARE_PTSZ(cuMemsetD2D16Async)
DECLARE_PTDS(cuMemsetD2D32)
DECLARE_PTSZ(cuMemsetD2D32Async)
DECLARE_PTDS(cuMemsetD2D8)
DECLARE_PTSZ(cuMemsetD2D8Async)
DECLARE_PTDS(cuMemsetD32)
DECLARE_PTSZ(cuMemsetD32Async)
DECLARE_PTDS(cuMemsetD8)
DECLARE_PTSZ(cuMemsetD8Async)
DECLARE_PTSZ(cuSignalExternalSemaphoresAsync)
DECLARE_PTSZ(cuStreamAddCallback)
DECLARE_PTSZ(cuStreamAttachMemAsync)
DECLARE_PTSZ(cuStreamBatchMemOp)
DECLARE_PTSZ(cuStreamBeginCapture)
DECLARE_PTSZ(cuStreamBeginCaptureToGraph)
DECLARE_PTSZ(cuStreamCopyAttributes)
DECLARE_PTSZ(cuStreamEndCapture)
DECLARE_PTSZ(cuStreamGetAttribute)
DECLARE_PTSZ(cuStreamGetCaptureInfo)
DECLARE_PTSZ(cuStreamGetCtx)
DECLARE_PTSZ(cuStreamGetDevice)
DECLARE_PTSZ(cuStreamGetFlags)
DECLARE_PTSZ(cuStreamGetId)
DECLARE_PTSZ(cuStreamGetPriority)
DECLARE_PTSZ(cuStreamIsCapturing)
DECLARE_PTSZ(cuStreamQuery)
DECLARE_PTSZ(cuStreamSetAttribute)
DECLARE_PTSZ(cuStreamSynchronize)
DECLARE_PTSZ(cuStreamUpdateCaptureDependencies)
DECLARE_PTSZ(cuStreamWaitEvent)
DECLARE_PTSZ(cuStreamWaitValue32)
DECLARE_PTSZ(cuStreamWaitValue64)
DECLARE_PTSZ(cuStreamWriteValue32)
DECLARE_PTSZ(cuStreamWriteValue64)
DECLARE_PTSZ(cuWaitExternalSemaphoresAsync)
int cuStreamGetCtx_v2_ptsz();
}

namespace reprise_runtime::driver {
namespace {

#define ROW(name, since) {#name, since, ADDRESS(name), nullptr}
#define ROW_PTDS(name, since) {#name, since, ADDRESS(name), ADDRESS(JOIN(name, _ptds))}
#define ROW_PTSZ(name, since) {#name, since, ADDRESS(name), ADDRESS(JOIN(name, _ptsz))}
// By name; `since` ascends where a name has several forms.
const EntryPoint entry_points[] = {
    ROW(cuArray3DCreate, 2000),
    ROW(cuArray3DGetDescriptor, 2000),
    ROW(cuArrayCreate, 2000),
    ROW(cuArrayDestroy, 2000),
    ROW(cuArrayGetDescriptor, 2000),
    ROW(cuArrayGetMemoryRequirements, 11060),
    ROW(cuArrayGetPlane, 11020),
    ROW(cuArrayGetSparseProperties, 11010),
    ROW(cuCheckpointProcessCheckpoint, 12080),
    ROW(cuCheckpointProcessGetRestoreThreadId, 12080),
    ROW(cuCheckpointProcessGetState, 12080),
    ROW(cuCheckpointProcessLock, 12080),
    ROW(cuCheckpointProcessRestore, 12080),
    ROW(cuCheckpointProcessUnlock, 12080),
    ROW(cuCoredumpGetAttribute, 12010),
    ROW(cuCoredumpGetAttributeGlobal, 12010),
    ROW(cuCoredumpSetAttribute, 12010),
    ROW(cuCoredumpSetAttributeGlobal, 12010),
    ROW(cuCtxAttach, 2000),
    ROW(cuCtxCreate, 12050),
    ROW(cuCtxDestroy, 2000),
    ROW(cuCtxDetach, 2000),
    ROW(cuCtxDisablePeerAccess, 4000),
    ROW(cuCtxEnablePeerAccess, 4000),
    ROW(cuCtxFromGreenCtx, 12040),
    ROW(cuCtxGetApiVersion, 3020),
    ROW(cuCtxGetCacheConfig, 3020),
    ROW(cuCtxGetCurrent, 4000),
    ROW(cuCtxGetDevResource, 12040),
    ROW(cuCtxGetDevice, 2000),
    {"cuCtxGetDevice", 13000, ADDRESS(cuCtxGetDevice_v2), nullptr},
    ROW(cuCtxGetExecAffinity, 11040),
    ROW(cuCtxGetFlags, 7000),
    ROW(cuCtxGetId, 12000),
    ROW(cuCtxGetLimit, 3010),
    ROW(cuCtxGetSharedMemConfig, 4020),
    ROW(cuCtxGetStreamPriorityRange, 5050),
    ROW(cuCtxPopCurrent, 2000),
    ROW(cuCtxPushCurrent, 2000),
    ROW(cuCtxRecordEvent, 12050),
    ROW(cuCtxResetPersistingL2Cache, 11000),
    ROW(cuCtxSetCacheConfig, 3020),
    ROW(cuCtxSetCurrent, 4000),
    ROW(cuCtxSetFlags, 12010),
    ROW(cuCtxSetLimit, 3010),
    ROW(cuCtxSetSharedMemConfig, 4020),
    ROW(cuCtxSynchronize, 2000),
    {"cuCtxSynchronize", 13000, ADDRESS(cuCtxSynchronize_v2), nullptr},
    ROW(cuCtxWaitEvent, 12050),
    ROW(cuDestroyExternalMemory, 10000),
    ROW(cuDestroyExternalSemaphore, 10000),
    ROW(cuDevResourceGenerateDesc, 12040),
    ROW(cuDevSmResourceSplitByCount, 12040),
    ROW(cuDeviceCanAccessPeer, 4000),
    ROW(cuDeviceComputeCapability, 2000),
    ROW(cuDeviceGet, 2000),
    ROW(cuDeviceGetAttribute, 2000),
    ROW(cuDeviceGetByPCIBusId, 4010),
    ROW(cuDeviceGetCount, 2000),
    ROW(cuDeviceGetDefaultMemPool, 11020),
    ROW(cuDeviceGetDevResource, 12040),
    ROW(cuDeviceGetExecAffinitySupport, 11040),
    ROW(cuDeviceGetGraphMemAttribute, 11040),
    ROW(cuDeviceGetHostAtomicCapabilities, 13000),
    ROW(cuDeviceGetLuid, 10000),
    ROW(cuDeviceGetMemPool, 11020),
    ROW(cuDeviceGetName, 2000),
    ROW(cuDeviceGetNvSciSyncAttributes, 10020),
    ROW(cuDeviceGetP2PAtomicCapabilities, 13000),
    ROW(cuDeviceGetP2PAttribute, 8000),
    ROW(cuDeviceGetPCIBusId, 4010),
    ROW(cuDeviceGetProperties, 2000),
    ROW(cuDeviceGetTexture1DLinearMaxWidth, 11010),
    ROW(cuDeviceGetUuid, 9020),
    ROW(cuDeviceGraphMemTrim, 11040),
    ROW(cuDevicePrimaryCtxGetState, 7000),
    ROW(cuDevicePrimaryCtxRelease, 7000),
    ROW(cuDevicePrimaryCtxReset, 7000),
    ROW(cuDevicePrimaryCtxRetain, 7000),
    ROW(cuDevicePrimaryCtxSetFlags, 7000),
    ROW(cuDeviceRegisterAsyncNotification, 12040),
    ROW(cuDeviceSetGraphMemAttribute, 11040),
    ROW(cuDeviceSetMemPool, 11020),
    ROW(cuDeviceTotalMem, 2000),
    ROW(cuDeviceUnregisterAsyncNotification, 12040),
    ROW(cuDriverGetVersion, 2020),
    ROW(cuEventCreate, 2000),
    ROW(cuEventDestroy, 2000),
    ROW(cuEventElapsedTime, 12080),
    ROW(cuEventQuery, 2000),
    ROW_PTSZ(cuEventRecord, 2000),
    ROW_PTSZ(cuEventRecordWithFlags, 11010),
    ROW(cuEventSynchronize, 2000),
    ROW(cuExternalMemoryGetMappedBuffer, 10000),
    ROW(cuExternalMemoryGetMappedMipmappedArray, 10000),
    ROW(cuFlushGPUDirectRDMAWrites, 11030),
    ROW(cuFuncGetAttribute, 2020),
    ROW(cuFuncGetModule, 11000),
    ROW(cuFuncGetName, 12030),
    ROW(cuFuncGetParamInfo, 12040),
    ROW(cuFuncIsLoaded, 12040),
    ROW(cuFuncLoad, 12040),
    ROW(cuFuncSetAttribute, 9000),
    ROW(cuFuncSetBlockShape, 2000),
    ROW(cuFuncSetCacheConfig, 3000),
    ROW(cuFuncSetSharedMemConfig, 4020),
    ROW(cuFuncSetSharedSize, 2000),
    ROW(cuGetErrorName, 6000),
    ROW(cuGetErrorString, 6000),
    ROW(cuGetExportTable, 3000),
    ROW(cuGetProcAddress, 12000),
    ROW(cuGraphAddBatchMemOpNode, 11070),
    ROW(cuGraphAddChildGraphNode, 10000),
    ROW(cuGraphAddDependencies, 12030),
    ROW(cuGraphAddEmptyNode, 10000),
    ROW(cuGraphAddEventRecordNode, 11010),
    ROW(cuGraphAddEventWaitNode, 11010),
    ROW(cuGraphAddExternalSemaphoresSignalNode, 11020),
    ROW(cuGraphAddExternalSemaphoresWaitNode, 11020),
    ROW(cuGraphAddHostNode, 10000),
    ROW(cuGraphAddKernelNode, 12000),
    ROW(cuGraphAddMemAllocNode, 11040),
    ROW(cuGraphAddMemFreeNode, 11040),
    ROW(cuGraphAddMemcpyNode, 10000),
    ROW(cuGraphAddMemsetNode, 10000),
    ROW(cuGraphAddNode, 12030),
    ROW(cuGraphBatchMemOpNodeGetParams, 11070),
    ROW(cuGraphBatchMemOpNodeSetParams, 11070),
    ROW(cuGraphChildGraphNodeGetGraph, 10000),
    ROW(cuGraphClone, 10000),
    ROW(cuGraphConditionalHandleCreate, 12030),
    ROW(cuGraphCreate, 10000),
    ROW(cuGraphDebugDotPrint, 11030),
    ROW(cuGraphDestroy, 10000),
    ROW(cuGraphDestroyNode, 10000),
    ROW(cuGraphEventRecordNodeGetEvent, 11010),
    ROW(cuGraphEventRecordNodeSetEvent, 11010),
    ROW(cuGraphEventWaitNodeGetEvent, 11010),
    ROW(cuGraphEventWaitNodeSetEvent, 11010),
    ROW(cuGraphExecBatchMemOpNodeSetParams, 11070),
    ROW(cuGraphExecChildGraphNodeSetParams, 11010),
    ROW(cuGraphExecDestroy, 10000),
    ROW(cuGraphExecEventRecordNodeSetEvent, 11010),
    ROW(cuGraphExecEventWaitNodeSetEvent, 11010),
    ROW(cuGraphExecExternalSemaphoresSignalNodeSetParams, 11020),
    ROW(cuGraphExecExternalSemaphoresWaitNodeSetParams, 11020),
    ROW(cuGraphExecGetFlags, 12000),
    ROW(cuGraphExecHostNodeSetParams, 10020),
    ROW(cuGraphExecKernelNodeSetParams, 12000),
    ROW(cuGraphExecMemcpyNodeSetParams, 10020),
    ROW(cuGraphExecMemsetNodeSetParams, 10020),
    ROW(cuGraphExecNodeSetParams, 12020),
    ROW(cuGraphExecUpdate, 12000),
    ROW(cuGraphExternalSemaphoresSignalNodeGetParams, 11020),
    ROW(cuGraphExternalSemaphoresSignalNodeSetParams, 11020),
    ROW(cuGraphExternalSemaphoresWaitNodeGetParams, 11020),
    ROW(cuGraphExternalSemaphoresWaitNodeSetParams, 11020),
    ROW(cuGraphGetEdges, 12030),
    ROW(cuGraphGetNodes, 10000),
    ROW(cuGraphGetRootNodes, 10000),
    ROW(cuGraphHostNodeGetParams, 10000),
    ROW(cuGraphHostNodeSetParams, 10000),
    ROW(cuGraphInstantiateWithFlags, 11040),
    ROW_PTSZ(cuGraphInstantiateWithParams, 12000),
    ROW(cuGraphKernelNodeCopyAttributes, 11000),
    ROW(cuGraphKernelNodeGetAttribute, 11000),
    ROW(cuGraphKernelNodeGetParams, 12000),
    ROW(cuGraphKernelNodeSetAttribute, 11000),
    ROW(cuGraphKernelNodeSetParams, 12000),
    ROW_PTSZ(cuGraphLaunch, 10000),
    ROW(cuGraphMemAllocNodeGetParams, 11040),
    ROW(cuGraphMemFreeNodeGetParams, 11040),
    ROW(cuGraphMemcpyNodeGetParams, 10000),
    ROW(cuGraphMemcpyNodeSetParams, 10000),
    ROW(cuGraphMemsetNodeGetParams, 10000),
    ROW(cuGraphMemsetNodeSetParams, 10000),
    ROW(cuGraphNodeFindInClone, 10000),
    ROW(cuGraphNodeGetDependencies, 12030),
    ROW(cuGraphNodeGetDependentNodes, 12030),
    ROW(cuGraphNodeGetEnabled, 11060),
    ROW(cuGraphNodeGetType, 10000),
    ROW(cuGraphNodeSetEnabled, 11060),
    ROW(cuGraphNodeSetParams, 12020),
    ROW(cuGraphReleaseUserObject, 11030),
    ROW(cuGraphRemoveDependencies, 12030),
    ROW(cuGraphRetainUserObject, 11030),
    ROW_PTSZ(cuGraphUpload, 11010),
    ROW_PTSZ(cuGraphicsMapResources, 3000),
    ROW(cuGraphicsResourceGetMappedMipmappedArray, 5000),
    ROW(cuGraphicsResourceGetMappedPointer, 3000),
    ROW(cuGraphicsResourceSetMapFlags, 3000),
    ROW(cuGraphicsSubResourceGetMappedArray, 3000),
    ROW_PTSZ(cuGraphicsUnmapResources, 3000),
    ROW(cuGraphicsUnregisterResource, 3000),
    ROW(cuGreenCtxCreate, 12040),
    ROW(cuGreenCtxDestroy, 12040),
    ROW(cuGreenCtxGetDevResource, 12040),
    ROW(cuGreenCtxGetId, 12090),
    ROW(cuGreenCtxRecordEvent, 12040),
    ROW(cuGreenCtxStreamCreate, 12050),
    ROW(cuGreenCtxWaitEvent, 12040),
    ROW(cuImportExternalMemory, 10000),
    ROW(cuImportExternalSemaphore, 10000),
    ROW(cuInit, 2000),
    ROW(cuIpcCloseMemHandle, 4010),
    ROW(cuIpcGetEventHandle, 4010),
    ROW(cuIpcGetMemHandle, 4010),
    ROW(cuIpcOpenEventHandle, 4010),
    ROW(cuIpcOpenMemHandle, 4010),
    ROW(cuKernelGetAttribute, 12000),
    ROW(cuKernelGetFunction, 12000),
    ROW(cuKernelGetLibrary, 12050),
    ROW(cuKernelGetName, 12030),
    ROW(cuKernelGetParamInfo, 12040),
    ROW(cuKernelSetAttribute, 12000),
    ROW(cuKernelSetCacheConfig, 12000),
    ROW(cuLaunch, 2000),
    ROW_PTSZ(cuLaunchCooperativeKernel, 9000),
    ROW(cuLaunchCooperativeKernelMultiDevice, 9000),
    ROW(cuLaunchGrid, 2000),
    ROW(cuLaunchGridAsync, 2000),
    ROW_PTSZ(cuLaunchHostFunc, 10000),
    ROW_PTSZ(cuLaunchKernel, 4000),
    ROW_PTSZ(cuLaunchKernelEx, 11060),
    ROW(cuLibraryEnumerateKernels, 12040),
    ROW(cuLibraryGetGlobal, 12000),
    ROW(cuLibraryGetKernel, 12000),
    ROW(cuLibraryGetKernelCount, 12040),
    ROW(cuLibraryGetManaged, 12000),
    ROW(cuLibraryGetModule, 12000),
    ROW(cuLibraryGetUnifiedFunction, 12000),
    ROW(cuLibraryLoadData, 12000),
    ROW(cuLibraryLoadFromFile, 12000),
    ROW(cuLibraryUnload, 12000),
    ROW(cuLinkAddData, 5050),
    ROW(cuLinkAddFile, 5050),
    ROW(cuLinkComplete, 5050),
    ROW(cuLinkCreate, 5050),
    ROW(cuLinkDestroy, 5050),
    ROW(cuLogsCurrent, 12090),
    ROW(cuLogsDumpToFile, 12090),
    ROW(cuLogsDumpToMemory, 12090),
    ROW(cuLogsRegisterCallback, 12090),
    ROW(cuLogsUnregisterCallback, 12090),
    ROW(cuMemAddressFree, 10020),
    ROW(cuMemAddressReserve, 10020),
    ROW(cuMemAdvise, 12020),
    ROW(cuMemAlloc, 2000),
    ROW_PTSZ(cuMemAllocAsync, 11020),
    ROW_PTSZ(cuMemAllocFromPoolAsync, 11020),
    ROW(cuMemAllocHost, 2000),
    ROW(cuMemAllocManaged, 6000),
    ROW(cuMemAllocPitch, 2000),
    ROW_PTSZ(cuMemBatchDecompressAsync, 12060),
    ROW(cuMemCreate, 10020),
    ROW_PTSZ(cuMemDiscardAndPrefetchBatchAsync, 13000),
    ROW_PTSZ(cuMemDiscardBatchAsync, 13000),
    ROW(cuMemExportToShareableHandle, 10020),
    ROW(cuMemFree, 2000),
    ROW_PTSZ(cuMemFreeAsync, 11020),
    ROW(cuMemFreeHost, 2000),
    ROW(cuMemGetAccess, 10020),
    ROW(cuMemGetAddressRange, 2000),
    ROW(cuMemGetAllocationGranularity, 10020),
    ROW(cuMemGetAllocationPropertiesFromHandle, 10020),
    ROW(cuMemGetDefaultMemPool, 13000),
    ROW(cuMemGetHandleForAddressRange, 11070),
    ROW(cuMemGetInfo, 2000),
    ROW(cuMemGetMemPool, 13000),
    ROW(cuMemHostAlloc, 2020),
    ROW(cuMemHostGetDevicePointer, 2020),
    ROW(cuMemHostGetFlags, 2030),
    ROW(cuMemHostRegister, 4000),
    ROW(cuMemHostUnregister, 4000),
    ROW(cuMemImportFromShareableHandle, 10020),
    ROW(cuMemMap, 10020),
    ROW_PTSZ(cuMemMapArrayAsync, 11010),
    ROW(cuMemPoolCreate, 11020),
    ROW(cuMemPoolDestroy, 11020),
    ROW(cuMemPoolExportPointer, 11020),
    ROW(cuMemPoolExportToShareableHandle, 11020),
    ROW(cuMemPoolGetAccess, 11020),
    ROW(cuMemPoolGetAttribute, 11020),
    ROW(cuMemPoolImportFromShareableHandle, 11020),
    ROW(cuMemPoolImportPointer, 11020),
    ROW(cuMemPoolSetAccess, 11020),
    ROW(cuMemPoolSetAttribute, 11020),
    ROW(cuMemPoolTrimTo, 11020),
    ROW_PTSZ(cuMemPrefetchAsync, 12020),
    ROW_PTSZ(cuMemPrefetchBatchAsync, 13000),
    ROW(cuMemRangeGetAttribute, 8000),
    ROW(cuMemRangeGetAttributes, 8000),
    ROW(cuMemRelease, 10020),
    ROW(cuMemRetainAllocationHandle, 11000),
    ROW(cuMemSetAccess, 10020),
    ROW(cuMemSetMemPool, 13000),
    ROW(cuMemUnmap, 10020),
    ROW_PTDS(cuMemcpy, 4000),
    ROW_PTDS(cuMemcpy2D, 2000),
    ROW_PTSZ(cuMemcpy2DAsync, 2000),
    ROW_PTDS(cuMemcpy2DUnaligned, 2000),
    ROW_PTDS(cuMemcpy3D, 2000),
    ROW_PTSZ(cuMemcpy3DAsync, 2000),
    ROW_PTSZ(cuMemcpy3DBatchAsync, 13000),
    ROW_PTDS(cuMemcpy3DPeer, 4000),
    ROW_PTSZ(cuMemcpy3DPeerAsync, 4000),
    ROW_PTSZ(cuMemcpyAsync, 4000),
    ROW_PTDS(cuMemcpyAtoA, 2000),
    ROW_PTDS(cuMemcpyAtoD, 2000),
    ROW_PTDS(cuMemcpyAtoH, 2000),
    ROW_PTSZ(cuMemcpyAtoHAsync, 2000),
    ROW_PTSZ(cuMemcpyBatchAsync, 13000),
    ROW_PTDS(cuMemcpyDtoA, 2000),
    ROW_PTDS(cuMemcpyDtoD, 2000),
    ROW_PTSZ(cuMemcpyDtoDAsync, 3000),
    ROW_PTDS(cuMemcpyDtoH, 2000),
    ROW_PTSZ(cuMemcpyDtoHAsync, 2000),
    ROW_PTDS(cuMemcpyHtoA, 2000),
    ROW_PTSZ(cuMemcpyHtoAAsync, 2000),
    ROW_PTDS(cuMemcpyHtoD, 2000),
    ROW_PTSZ(cuMemcpyHtoDAsync, 2000),
    ROW_PTDS(cuMemcpyPeer, 4000),
    ROW_PTSZ(cuMemcpyPeerAsync, 4000),
    ROW_PTDS(cuMemsetD16, 2000),
    ROW_PTSZ(cuMemsetD16Async, 3020),
    ROW_PTDS(cuMemsetD2D16, 2000),
    ROW_PTSZ(cuMemsetD2D16Async, 3020),
    ROW_PTDS(cuMemsetD2D32, 2000),
    ROW_PTSZ(cuMemsetD2D32Async, 3020),
    ROW_PTDS(cuMemsetD2D8, 2000),
    ROW_PTSZ(cuMemsetD2D8Async, 3020),
    ROW_PTDS(cuMemsetD32, 2000),
    ROW_PTSZ(cuMemsetD32Async, 3020),
    ROW_PTDS(cuMemsetD8, 2000),
    ROW_PTSZ(cuMemsetD8Async, 3020),
    ROW(cuMipmappedArrayCreate, 5000),
    ROW(cuMipmappedArrayDestroy, 5000),
    ROW(cuMipmappedArrayGetLevel, 5000),
    ROW(cuMipmappedArrayGetMemoryRequirements, 11060),
    ROW(cuMipmappedArrayGetSparseProperties, 11010),
    ROW(cuModuleEnumerateFunctions, 12040),
    ROW(cuModuleGetFunction, 2000),
    ROW(cuModuleGetFunctionCount, 12040),
    ROW(cuModuleGetGlobal, 2000),
    ROW(cuModuleGetLoadingMode, 11070),
    ROW(cuModuleGetSurfRef, 3000),
    ROW(cuModuleGetTexRef, 2000),
    ROW(cuModuleLoad, 2000),
    ROW(cuModuleLoadData, 2000),
    ROW(cuModuleLoadDataEx, 2010),
    ROW(cuModuleLoadFatBinary, 2000),
    ROW(cuModuleUnload, 2000),
    ROW(cuMulticastAddDevice, 12010),
    ROW(cuMulticastBindAddr, 12010),
    ROW(cuMulticastBindMem, 12010),
    ROW(cuMulticastCreate, 12010),
    ROW(cuMulticastGetGranularity, 12010),
    ROW(cuMulticastUnbind, 12010),
    ROW(cuOccupancyAvailableDynamicSMemPerBlock, 10020),
    ROW(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050),
    ROW(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000),
    ROW(cuOccupancyMaxActiveClusters, 11070),
    ROW(cuOccupancyMaxPotentialBlockSize, 6050),
    ROW(cuOccupancyMaxPotentialBlockSizeWithFlags, 7000),
    ROW(cuOccupancyMaxPotentialClusterSize, 11070),
    ROW(cuParamSetSize, 2000),
    ROW(cuParamSetTexRef, 2000),
    ROW(cuParamSetf, 2000),
    ROW(cuParamSeti, 2000),
    ROW(cuParamSetv, 2000),
    ROW(cuPointerGetAttribute, 4000),
    ROW(cuPointerGetAttributes, 7000),
    ROW(cuPointerSetAttribute, 6000),
    ROW_PTSZ(cuSignalExternalSemaphoresAsync, 10000),
    ROW_PTSZ(cuStreamAddCallback, 5000),
    ROW_PTSZ(cuStreamAttachMemAsync, 6000),
    ROW_PTSZ(cuStreamBatchMemOp, 8000),
    ROW_PTSZ(cuStreamBeginCapture, 10010),
    ROW_PTSZ(cuStreamBeginCaptureToGraph, 12030),
    ROW_PTSZ(cuStreamCopyAttributes, 11000),
    ROW(cuStreamCreate, 2000),
    ROW(cuStreamCreateWithPriority, 5050),
    ROW(cuStreamDestroy, 2000),
    ROW_PTSZ(cuStreamEndCapture, 10000),
    ROW_PTSZ(cuStreamGetAttribute, 11000),
    ROW_PTSZ(cuStreamGetCaptureInfo, 12030),
    ROW_PTSZ(cuStreamGetCtx, 9020),
    {"cuStreamGetCtx", 12050, ADDRESS(cuStreamGetCtx_v2), ADDRESS(cuStreamGetCtx_v2_ptsz)},
    ROW_PTSZ(cuStreamGetDevice, 12080),
    ROW_PTSZ(cuStreamGetFlags, 5050),
    ROW(cuStreamGetGreenCtx, 12040),
    ROW_PTSZ(cuStreamGetId, 12000),
    ROW_PTSZ(cuStreamGetPriority, 5050),
    ROW_PTSZ(cuStreamIsCapturing, 10000),
    ROW_PTSZ(cuStreamQuery, 2000),
    ROW_PTSZ(cuStreamSetAttribute, 11000),
    ROW_PTSZ(cuStreamSynchronize, 2000),
    ROW_PTSZ(cuStreamUpdateCaptureDependencies, 12030),
    ROW_PTSZ(cuStreamWaitEvent, 3020),
    ROW_PTSZ(cuStreamWaitValue32, 8000),
    ROW_PTSZ(cuStreamWaitValue64, 9000),
    ROW_PTSZ(cuStreamWriteValue32, 8000),
    ROW_PTSZ(cuStreamWriteValue64, 9000),
    ROW(cuSurfObjectCreate, 5000),
    ROW(cuSurfObjectDestroy, 5000),
    ROW(cuSurfObjectGetResourceDesc, 5000),
    ROW(cuSurfRefGetArray, 3000),
    ROW(cuSurfRefSetArray, 3000),
    ROW(cuTensorMapEncodeIm2col, 12000),
    ROW(cuTensorMapEncodeIm2colWide, 12080),
    ROW(cuTensorMapEncodeTiled, 12000),
    ROW(cuTensorMapReplaceAddress, 12000),
    ROW(cuTexObjectCreate, 5000),
    ROW(cuTexObjectDestroy, 5000),
    ROW(cuTexObjectGetResourceDesc, 5000),
    ROW(cuTexObjectGetResourceViewDesc, 5000),
    ROW(cuTexObjectGetTextureDesc, 5000),
    ROW(cuTexRefCreate, 2000),
    ROW(cuTexRefDestroy, 2000),
    ROW(cuTexRefGetAddress, 2000),
    ROW(cuTexRefGetAddressMode, 2000),
    ROW(cuTexRefGetArray, 2000),
    ROW(cuTexRefGetBorderColor, 8000),
    ROW(cuTexRefGetFilterMode, 2000),
    ROW(cuTexRefGetFlags, 2000),
    ROW(cuTexRefGetFormat, 2000),
    ROW(cuTexRefGetMaxAnisotropy, 5000),
    ROW(cuTexRefGetMipmapFilterMode, 5000),
    ROW(cuTexRefGetMipmapLevelBias, 5000),
    ROW(cuTexRefGetMipmapLevelClamp, 5000),
    ROW(cuTexRefGetMipmappedArray, 5000),
    ROW(cuTexRefSetAddress, 2000),
    ROW(cuTexRefSetAddress2D, 2020),
    ROW(cuTexRefSetAddressMode, 2000),
    ROW(cuTexRefSetArray, 2000),
    ROW(cuTexRefSetBorderColor, 8000),
    ROW(cuTexRefSetFilterMode, 2000),
    ROW(cuTexRefSetFlags, 2000),
    ROW(cuTexRefSetFormat, 2000),
    ROW(cuTexRefSetMaxAnisotropy, 5000),
    ROW(cuTexRefSetMipmapFilterMode, 5000),
    ROW(cuTexRefSetMipmapLevelBias, 5000),
    ROW(cuTexRefSetMipmapLevelClamp, 5000),
    ROW(cuTexRefSetMipmappedArray, 5000),
    ROW(cuThreadExchangeStreamCaptureMode, 10010),
    ROW(cuUserObjectCreate, 11030),
    ROW(cuUserObjectRelease, 11030),
    ROW(cuUserObjectRetain, 11030),
    ROW_PTSZ(cuWaitExternalSemaphoresAsync, 10000),
    {"cuCtxGetDevice", 13000, ADDRESS(cuCtxGetDevice_v2), nullptr},
    {"cuCtxSynchronize", 13000, ADDRESS(cuCtxSynchronize_v2), nullptr},
    {"cuGraphInstantiate", 12000, ADDRESS(cuGraphInstantiateWithFlags), nullptr},
    {"cuStreamGetCtx", 12050, ADDRESS(cuStreamGetCtx_v2), ADDRESS(cuStreamGetCtx_v2_ptsz)},
};

void consider(const EntryPoint& point, const char* name, int version, bool per_thread, Found& found, int& best) {
  if (std::strcmp(point.name, name) != 0) return;
  constexpr int first_per_thread = 7000;
  if (point.since > version || (per_thread && point.per_thread && version < first_per_thread)) {
    if (!found.function) found.lookup = Lookup::version_too_low;
  } else if (point.since > best) {
    best = point.since;
    found = {Lookup::found, per_thread && point.per_thread ? point.per_thread : point.function};
  }
}

}  // namespace

Found find_entry_point(const char* name, int version, bool per_thread) {
  Found found;
  int best = 0;
  for (const EntryPoint& point : entry_points) consider(point, name, version, per_thread, found, best);
  for (int i = 0; i < detail::earlier_entry_point_count; ++i) {
    consider(detail::earlier_entry_points[i], name, version, per_thread, found, best);
  }
  return found;
}

}  // namespace reprise_runtime::driver
