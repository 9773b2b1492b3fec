/* Streams. */
#ifndef REPRISE_API_STREAM_H
#define REPRISE_API_STREAM_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

typedef void(CUDART_CB* cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* userData);

REPRISE_API cudaError_t cudaStreamCreate(cudaStream_t* pStream);
REPRISE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags);
REPRISE_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags, int priority);
REPRISE_API cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int* priority);
REPRISE_API cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int* flags);
REPRISE_API cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long* streamId);
REPRISE_API cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int* device);
REPRISE_API cudaError_t cudaCtxResetPersistingL2Cache(void);
REPRISE_API cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src);
REPRISE_API cudaError_t cudaStreamGetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                               cudaLaunchAttributeValue* value_out);
REPRISE_API cudaError_t cudaStreamSetAttribute(cudaStream_t hStream, cudaLaunchAttributeID attr,
                                               const cudaLaunchAttributeValue* value);
REPRISE_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
REPRISE_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                            unsigned int flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData,
                                              unsigned int flags);
REPRISE_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
REPRISE_API cudaError_t cudaStreamQuery(cudaStream_t stream);
REPRISE_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, size_t length REPRISE_DEFAULT(0),
                                                 unsigned int flags REPRISE_DEFAULT(cudaMemAttachSingle));

REPRISE_END_C

#endif /* REPRISE_API_STREAM_H */
