/* Types of pointers to calls by version: green contexts. */
#ifndef REPRISE_DRIVER_POINTERS_GREEN_CONTEXT_H
#define REPRISE_DRIVER_POINTERS_GREEN_CONTEXT_H

#include <cuda.h>

typedef CUresult (*PFN_cuGreenCtxCreate_v12040)(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned int);
typedef CUresult (*PFN_cuGreenCtxDestroy_v12040)(CUgreenCtx);
typedef CUresult (*PFN_cuDeviceGetDevResource_v12040)(CUdevice, CUdevResource*, CUdevResourceType);
typedef CUresult (*PFN_cuCtxGetDevResource_v12040)(CUcontext, CUdevResource*, CUdevResourceType);
typedef CUresult (*PFN_cuGreenCtxGetDevResource_v12040)(CUgreenCtx, CUdevResource*, CUdevResourceType);
typedef CUresult (*PFN_cuGreenCtxRecordEvent_v12040)(CUgreenCtx, CUevent);
typedef CUresult (*PFN_cuGreenCtxWaitEvent_v12040)(CUgreenCtx, CUevent);
typedef CUresult (*PFN_cuDevResourceGenerateDesc_v12040)(CUdevResourceDesc*, CUdevResource*, unsigned int);
typedef CUresult (*PFN_cuDevSmResourceSplitByCount_v12040)(CUdevResource*, unsigned int*, const CUdevResource*,
                                                           CUdevResource*, unsigned int, unsigned int);
typedef CUresult (*PFN_cuStreamGetGreenCtx_v12040)(CUstream, CUgreenCtx*);
typedef CUresult (*PFN_cuCtxFromGreenCtx_v12040)(CUcontext*, CUgreenCtx);
typedef CUresult (*PFN_cuGreenCtxGetId_v12090)(CUgreenCtx, unsigned long long*);
typedef CUresult (*PFN_cuGreenCtxStreamCreate_v12050)(CUstream*, CUgreenCtx, unsigned int, int);

#endif /* REPRISE_DRIVER_POINTERS_GREEN_CONTEXT_H */
