/* Green contexts of the driver API. */
#ifndef REPRISE_DRIVER_GREEN_CONTEXT_H
#define REPRISE_DRIVER_GREEN_CONTEXT_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuGreenCtxCreate(CUgreenCtx* phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags);
REPRISE_API CUresult cuGreenCtxDestroy(CUgreenCtx hCtx);
REPRISE_API CUresult cuCtxFromGreenCtx(CUcontext* pContext, CUgreenCtx hCtx);
REPRISE_API CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type);
REPRISE_API CUresult cuCtxGetDevResource(CUcontext hCtx, CUdevResource* resource, CUdevResourceType type);
REPRISE_API CUresult cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource* resource, CUdevResourceType type);
REPRISE_API CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned int* nbGroups,
                                                 const CUdevResource* input, CUdevResource* remaining,
                                                 unsigned int useFlags, unsigned int minCount);
REPRISE_API CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* phDesc, CUdevResource* resources,
                                               unsigned int nbResources);
REPRISE_API CUresult cuGreenCtxRecordEvent(CUgreenCtx hCtx, CUevent hEvent);
REPRISE_API CUresult cuGreenCtxWaitEvent(CUgreenCtx hCtx, CUevent hEvent);
REPRISE_API CUresult cuStreamGetGreenCtx(CUstream hStream, CUgreenCtx* phCtx);
REPRISE_API CUresult cuGreenCtxStreamCreate(CUstream* phStream, CUgreenCtx greenCtx, unsigned int flags, int priority);
REPRISE_API CUresult cuGreenCtxGetId(CUgreenCtx greenCtx, unsigned long long* greenCtxId);

REPRISE_END_C

#endif /* REPRISE_DRIVER_GREEN_CONTEXT_H */
