/* A compiler turns `kernel<<<grid, block, shared, stream>>>(...)` into these calls: it pushes the configuration and
   calls the kernel's host stub, which pops the configuration and launches the kernel. */
#ifndef REPRISE_API_CALL_CONFIGURATION_H
#define REPRISE_API_CALL_CONFIGURATION_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)

REPRISE_API unsigned int __reprisePushCallConfiguration(
    dim3 gridDim, dim3 blockDim, size_t sharedMem, struct CUstream_st* stream) __asm__("__cudaPushCallConfiguration");

/* The compiler finds this function by its name. It passes the thread's own stream to the stub's launch, which does not
   depend on the macro. */
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
