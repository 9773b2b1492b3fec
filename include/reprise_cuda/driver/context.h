/* Contexts of the driver API. */
#ifndef REPRISE_DRIVER_CONTEXT_H
#define REPRISE_DRIVER_CONTEXT_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuDeviceGetExecAffinitySupport(int* pi, CUexecAffinityType type, CUdevice dev);
REPRISE_API CUresult cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev);
REPRISE_API CUresult cuDevicePrimaryCtxRelease(CUdevice dev);
REPRISE_API CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags);
REPRISE_API CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active);
REPRISE_API CUresult cuDevicePrimaryCtxReset(CUdevice dev);
REPRISE_API CUresult cuCtxCreate(CUcontext* pctx, CUctxCreateParams* ctxCreateParams, unsigned int flags, CUdevice dev);
REPRISE_API CUresult cuCtxDestroy(CUcontext ctx);
REPRISE_API CUresult cuCtxPushCurrent(CUcontext ctx);
REPRISE_API CUresult cuCtxPopCurrent(CUcontext* pctx);
REPRISE_API CUresult cuCtxSetCurrent(CUcontext ctx);
REPRISE_API CUresult cuCtxGetCurrent(CUcontext* pctx);
REPRISE_API CUresult cuCtxGetDevice(CUdevice* device);
REPRISE_API CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx);
REPRISE_API CUresult cuCtxGetFlags(unsigned int* flags);
REPRISE_API CUresult cuCtxSetFlags(unsigned int flags);
REPRISE_API CUresult cuCtxGetId(CUcontext ctx, unsigned long long* ctxId);
REPRISE_API CUresult cuCtxSynchronize(void);
REPRISE_API CUresult cuCtxSynchronize_v2(CUcontext ctx);
REPRISE_API CUresult cuCtxSetLimit(CUlimit limit, size_t value);
REPRISE_API CUresult cuCtxGetLimit(size_t* pvalue, CUlimit limit);
REPRISE_API CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig);
REPRISE_API CUresult cuCtxSetCacheConfig(CUfunc_cache config);
REPRISE_API CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int* version);
REPRISE_API CUresult cuCtxGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
REPRISE_API CUresult cuCtxResetPersistingL2Cache(void);
REPRISE_API CUresult cuCtxGetExecAffinity(CUexecAffinityParam* pExecAffinity, CUexecAffinityType type);
REPRISE_API CUresult cuCtxRecordEvent(CUcontext hCtx, CUevent hEvent);
REPRISE_API CUresult cuCtxWaitEvent(CUcontext hCtx, CUevent hEvent);
REPRISE_DEPRECATED REPRISE_API CUresult cuCtxAttach(CUcontext* pctx, unsigned int flags);
REPRISE_DEPRECATED REPRISE_API CUresult cuCtxDetach(CUcontext ctx);
REPRISE_DEPRECATED REPRISE_API CUresult cuCtxGetSharedMemConfig(CUsharedconfig* pConfig);
REPRISE_DEPRECATED REPRISE_API CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);

REPRISE_END_C

#endif /* REPRISE_DRIVER_CONTEXT_H */
