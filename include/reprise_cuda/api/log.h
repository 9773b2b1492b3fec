/* The log: callbacks, and dumps to files and memory. */
#ifndef REPRISE_API_LOG_H
#define REPRISE_API_LOG_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

typedef void(CUDART_CB* cudaLogsCallback_t)(void* data, cudaLogLevel logLevel, char* message, size_t length);

REPRISE_API cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData,
                                                 cudaLogsCallbackHandle* callback_out);
REPRISE_API cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback);
REPRISE_API cudaError_t cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags);
REPRISE_API cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile, unsigned int flags);
REPRISE_API cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size, unsigned int flags);

REPRISE_END_C

#endif /* REPRISE_API_LOG_H */
