/* Position of a thread in its grid: threadIdx, blockIdx, blockDim, gridDim, warpSize. */
#ifndef __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "vector_types.h"

#if defined(__CUDA__)
#include "cuda_runtime.h"
#else
/* Declared for host code too, which may name them in templates shared with kernels; nothing defines them. */
#if defined(__cplusplus)
extern "C" {
#endif
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;
#if defined(__cplusplus)
}
#endif
#endif

#endif /* __DEVICE_LAUNCH_PARAMETERS_H__ */
