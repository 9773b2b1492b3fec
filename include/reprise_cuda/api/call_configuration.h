/* What a compiler makes of `kernel<<<grid, block, shared, stream>>>(...)`: push the configuration, call the
   kernel's host stub, which pops it and launches. */
#ifndef REPRISE_API_CALL_CONFIGURATION_H
#define REPRISE_API_CALL_CONFIGURATION_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)

REPRISE_API unsigned int __reprisePushCallConfiguration(
    dim3 gridDim, dim3 blockDim, size_t sharedMem, struct CUstream_st* stream) __asm__("__cudaPushCallConfiguration");

/* The compiler finds this one by its name, and the stub's launch, which knows nothing of the macro, is told
   the thread's own stream. */
static __inline__ __host__ unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim,
                                                                    size_t sharedMem REPRISE_DEFAULT(0),
                                                                    struct CUstream_st* stream REPRISE_DEFAULT(0)) {
  return __reprisePushCallConfiguration(gridDim, blockDim, sharedMem, stream ? stream : cudaStreamPerThread);
}

#else

REPRISE_API unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem REPRISE_DEFAULT(0),
                                                     struct CUstream_st* stream REPRISE_DEFAULT(0));

#endif

REPRISE_API cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem, void* stream);

REPRISE_END_C

#endif /* REPRISE_API_CALL_CONFIGURATION_H */
