/* What a compiler makes of `kernel<<<grid, block, shared, stream>>>(...)`: push the configuration, call the
   kernel's host stub, which pops it and launches. */
#ifndef REPRISE_API_CALL_CONFIGURATION_H
#define REPRISE_API_CALL_CONFIGURATION_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                     size_t sharedMem REPRISE_DEFAULT(0),
                                                     struct CUstream_st* stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem,
                                                   void* stream);

REPRISE_END_C

#endif /* REPRISE_API_CALL_CONFIGURATION_H */
