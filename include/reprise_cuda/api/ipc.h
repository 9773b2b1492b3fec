/* Events and memory of one process used by another. */
#ifndef REPRISE_API_IPC_H
#define REPRISE_API_IPC_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
REPRISE_API cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
REPRISE_API cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr);
REPRISE_API cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle, unsigned int flags);
REPRISE_API cudaError_t cudaIpcCloseMemHandle(void* devPtr);

REPRISE_END_C

#endif /* REPRISE_API_IPC_H */
