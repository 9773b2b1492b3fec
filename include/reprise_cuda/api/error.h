/* The last error of the calling thread, and names for errors. */
#ifndef REPRISE_API_ERROR_H
#define REPRISE_API_ERROR_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaGetLastError(void);
REPRISE_API cudaError_t cudaPeekAtLastError(void);
REPRISE_API const char* cudaGetErrorName(cudaError_t error);
REPRISE_API const char* cudaGetErrorString(cudaError_t error);

REPRISE_END_C

#endif /* REPRISE_API_ERROR_H */
