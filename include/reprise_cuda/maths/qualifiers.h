// Maths functions shared by device code, host code and the runtime library: inline, so that loops over them vectorise,
// and without branches where possible.
#pragma once

#ifdef __CUDA__
#define __REPRISE_MATHS__ static __host__ __device__ __forceinline__
#define __REPRISE_MATHS_MEMBER__ __host__ __device__ __forceinline__
#else
#define __REPRISE_MATHS__ static inline __attribute__((always_inline))
#define __REPRISE_MATHS_MEMBER__ inline __attribute__((always_inline))
#endif

// Placed first in a function whose operations are rounded separately: none may be contracted into a multiply-add.
#define __REPRISE_UNFUSED__ _Pragma("clang fp contract(off)")
