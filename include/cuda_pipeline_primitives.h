// Asynchronous copies into shared memory by a thread. The copy is synchronous here, so waiting for it does nothing.
#pragma once

#include <cuda_runtime.h>

#ifdef __CUDA__

static __device__ __forceinline__ void __pipeline_memcpy_async(void* destination, const void* source, size_t bytes,
                                                               size_t zeros = 0) {
  memcpy(destination, source, bytes - zeros);
  memset(static_cast<char*>(destination) + (bytes - zeros), 0, zeros);
}
static __device__ __forceinline__ void __pipeline_commit() {}
static __device__ __forceinline__ void __pipeline_wait_prior(size_t) {}

#endif
