/* The words of CUDA C++ (__global__, __device__, ...) for the compiler at hand. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

/* clang names the language __CUDA__; nvcc names the compiler __CUDACC__, and that is what programs ask for.
 */
#if defined(__CUDA__) && !defined(__CUDACC__)
#define __CUDACC__ 1
#endif

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#define __no_return__ __attribute__((noreturn))
#undef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __import__
#define __export__
#define __specialization_static
#define __nv_pure__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__

#if defined(__CUDA__)

#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __host__ __location__(host)
#define __device__ __location__(device)
#define __global__ __location__(global)
#define __shared__ __location__(shared)
#define __constant__ __location__(constant)
#define __launch_bounds__(...) __annotate__(launch_bounds(__VA_ARGS__))
#define __maxnreg__(n)
#define __local_maxnreg__(n)
#define __block_size__(...)

/* clang 19 has no such words. What they ask for reaches the device compiler as annotations, or as the name of a
 * section, which extern declarations have too. A managed variable is the host's, which the device's code refers to; it
 * must be there even if the host does not use it. */
#ifdef __CUDA_ARCH__
#define __managed__ __device__ __attribute__((section("reprise.managed")))
#else
#define __managed__                                                                             \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-attributes\"") \
      __attribute__((used)) _Pragma("clang diagnostic pop")
#endif
#define __cluster_dims__(...) __attribute__((annotate("reprise.cluster_dims", __VA_ARGS__)))
/* A parameter that is never written needs no word for it where its address is in ordinary memory anyway. */
#define __grid_constant__

#else

#define __annotate__(a)
#define __location__(a)
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __grid_constant__
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(n)
#define __local_maxnreg__(n)

#endif

#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature

/* No code is ever compiled for one chip or family alone. */
#define __CUDA_HAS_ARCH_SPECIFIC(n) 0
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(n) 0

#endif /* __HOST_DEFINES_H__ */
