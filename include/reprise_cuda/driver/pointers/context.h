/* Types of pointers to calls by version: contexts. */
#ifndef REPRISE_DRIVER_POINTERS_CONTEXT_H
#define REPRISE_DRIVER_POINTERS_CONTEXT_H

#include <cuda.h>

typedef CUresult (*PFN_cuDevicePrimaryCtxRetain_v7000)(CUcontext*, CUdevice_v1);
typedef CUresult (*PFN_cuDevicePrimaryCtxRelease_v11000)(CUdevice_v1);
typedef CUresult (*PFN_cuDevicePrimaryCtxSetFlags_v11000)(CUdevice_v1, unsigned int);
typedef CUresult (*PFN_cuDevicePrimaryCtxGetState_v7000)(CUdevice_v1, unsigned int*, int*);
typedef CUresult (*PFN_cuDevicePrimaryCtxReset_v11000)(CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetExecAffinitySupport_v11040)(int*, CUexecAffinityType, CUdevice);
typedef CUresult (*PFN_cuCtxCreate_v3020)(CUcontext*, unsigned int, CUdevice_v1);
typedef CUresult (*PFN_cuCtxCreate_v11040)(CUcontext*, CUexecAffinityParam*, int, unsigned int, CUdevice_v1);
typedef CUresult (*PFN_cuCtxCreate_v12050)(CUcontext*, CUctxCreateParams*, unsigned int, CUdevice);
typedef CUresult (*PFN_cuCtxGetId_v12000)(CUcontext, unsigned long long*);
typedef CUresult (*PFN_cuCtxDestroy_v4000)(CUcontext);
typedef CUresult (*PFN_cuCtxPushCurrent_v4000)(CUcontext);
typedef CUresult (*PFN_cuCtxPopCurrent_v4000)(CUcontext*);
typedef CUresult (*PFN_cuCtxSetCurrent_v4000)(CUcontext);
typedef CUresult (*PFN_cuCtxGetCurrent_v4000)(CUcontext*);
typedef CUresult (*PFN_cuCtxGetDevice_v2000)(CUdevice_v1*);
typedef CUresult (*PFN_cuCtxGetDevice_v13000)(CUdevice*, CUcontext);
typedef CUresult (*PFN_cuCtxGetFlags_v7000)(unsigned int*);
typedef CUresult (*PFN_cuCtxSetFlags_v12010)(unsigned int);
typedef CUresult (*PFN_cuCtxSynchronize_v2000)(void);
typedef CUresult (*PFN_cuCtxSynchronize_v13000)(CUcontext);
typedef CUresult (*PFN_cuCtxSetLimit_v3010)(CUlimit, size_t);
typedef CUresult (*PFN_cuCtxGetLimit_v3010)(size_t*, CUlimit);
typedef CUresult (*PFN_cuCtxGetCacheConfig_v3020)(CUfunc_cache*);
typedef CUresult (*PFN_cuCtxSetCacheConfig_v3020)(CUfunc_cache);
typedef CUresult (*PFN_cuCtxGetSharedMemConfig_v4020)(CUsharedconfig*);
typedef CUresult (*PFN_cuCtxSetSharedMemConfig_v4020)(CUsharedconfig);
typedef CUresult (*PFN_cuCtxGetApiVersion_v3020)(CUcontext, unsigned int*);
typedef CUresult (*PFN_cuCtxGetStreamPriorityRange_v5050)(int*, int*);
typedef CUresult (*PFN_cuCtxResetPersistingL2Cache_v11000)(void);
typedef CUresult (*PFN_cuCtxAttach_v2000)(CUcontext*, unsigned int);
typedef CUresult (*PFN_cuCtxDetach_v2000)(CUcontext);
typedef CUresult (*PFN_cuCtxGetExecAffinity_v11040)(CUexecAffinityParam*, CUexecAffinityType);
typedef CUresult (*PFN_cuCtxRecordEvent_v12050)(CUcontext, CUevent);
typedef CUresult (*PFN_cuCtxWaitEvent_v12050)(CUcontext, CUevent);

#endif /* REPRISE_DRIVER_POINTERS_CONTEXT_H */
