/* Streams of the driver API. */
#ifndef REPRISE_DRIVER_STREAM_H
#define REPRISE_DRIVER_STREAM_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuStreamCreate(CUstream* phStream, unsigned int Flags);
REPRISE_API CUresult cuStreamCreateWithPriority(CUstream* phStream, unsigned int flags, int priority);
REPRISE_API CUresult cuStreamGetPriority(CUstream hStream, int* priority);
REPRISE_API CUresult cuStreamGetDevice(CUstream hStream, CUdevice* device);
REPRISE_API CUresult cuStreamGetFlags(CUstream hStream, unsigned int* flags);
REPRISE_API CUresult cuStreamGetId(CUstream hStream, unsigned long long* streamId);
REPRISE_API CUresult cuStreamGetCtx(CUstream hStream, CUcontext* pctx);
REPRISE_API CUresult cuStreamGetCtx_v2(CUstream hStream, CUcontext* pCtx, CUgreenCtx* pGreenCtx);
REPRISE_API CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags);
REPRISE_API CUresult cuStreamAddCallback(CUstream hStream, CUstreamCallback callback, void* userData,
                                         unsigned int flags);
REPRISE_API CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus* captureStatus);
REPRISE_API CUresult cuStreamQuery(CUstream hStream);
REPRISE_API CUresult cuStreamSynchronize(CUstream hStream);
REPRISE_API CUresult cuStreamDestroy(CUstream hStream);
REPRISE_API CUresult cuStreamCopyAttributes(CUstream dst, CUstream src);
REPRISE_API CUresult cuStreamGetAttribute(CUstream hStream, CUstreamAttrID attr, CUstreamAttrValue* value_out);
REPRISE_API CUresult cuStreamSetAttribute(CUstream hStream, CUstreamAttrID attr, const CUstreamAttrValue* value);

REPRISE_END_C

#endif /* REPRISE_DRIVER_STREAM_H */
