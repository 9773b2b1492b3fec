// Refused calls: green contexts, and contexts bound to a part of the device.
#include "driver/unsupported/unsupported.h"

#define WHY "green contexts are not supported: a device is not divided into parts"

extern "C" {

UNSUPPORTED(cuCtxGetExecAffinity, (CUexecAffinityParam * pExecAffinity, CUexecAffinityType type), (pExecAffinity, type))
UNSUPPORTED(cuCtxRecordEvent, (CUcontext hCtx, CUevent hEvent), (hCtx, hEvent))
UNSUPPORTED(cuCtxWaitEvent, (CUcontext hCtx, CUevent hEvent), (hCtx, hEvent))
UNSUPPORTED(cuGreenCtxCreate, (CUgreenCtx * phCtx, CUdevResourceDesc desc, CUdevice dev, unsigned int flags),
            (phCtx, desc, dev, flags))
UNSUPPORTED(cuGreenCtxDestroy, (CUgreenCtx hCtx), (hCtx))
UNSUPPORTED(cuCtxFromGreenCtx, (CUcontext * pContext, CUgreenCtx hCtx), (pContext, hCtx))
UNSUPPORTED(cuDeviceGetDevResource, (CUdevice device, CUdevResource* resource, CUdevResourceType type),
            (device, resource, type))
UNSUPPORTED(cuCtxGetDevResource, (CUcontext hCtx, CUdevResource* resource, CUdevResourceType type),
            (hCtx, resource, type))
UNSUPPORTED(cuGreenCtxGetDevResource, (CUgreenCtx hCtx, CUdevResource* resource, CUdevResourceType type),
            (hCtx, resource, type))
UNSUPPORTED(cuDevSmResourceSplitByCount,
            (CUdevResource * result, unsigned int* nbGroups, const CUdevResource* input, CUdevResource* remaining,
             unsigned int useFlags, unsigned int minCount),
            (result, nbGroups, input, remaining, useFlags, minCount))
UNSUPPORTED(cuDevResourceGenerateDesc, (CUdevResourceDesc * phDesc, CUdevResource* resources, unsigned int nbResources),
            (phDesc, resources, nbResources))
UNSUPPORTED(cuGreenCtxRecordEvent, (CUgreenCtx hCtx, CUevent hEvent), (hCtx, hEvent))
UNSUPPORTED(cuGreenCtxWaitEvent, (CUgreenCtx hCtx, CUevent hEvent), (hCtx, hEvent))
UNSUPPORTED(cuGreenCtxStreamCreate, (CUstream * phStream, CUgreenCtx greenCtx, unsigned int flags, int priority),
            (phStream, greenCtx, flags, priority))
UNSUPPORTED(cuGreenCtxGetId, (CUgreenCtx greenCtx, unsigned long long* greenCtxId), (greenCtx, greenCtxId))
}
