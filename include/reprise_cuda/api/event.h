/* Events. */
#ifndef REPRISE_API_EVENT_H
#define REPRISE_API_EVENT_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaEventCreate(cudaEvent_t* event);
REPRISE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
REPRISE_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream REPRISE_DEFAULT(0),
                                                 unsigned int flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaEventQuery(cudaEvent_t event);
REPRISE_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
REPRISE_API cudaError_t cudaEventDestroy(cudaEvent_t event);
REPRISE_API cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end);

REPRISE_END_C

#endif /* REPRISE_API_EVENT_H */
