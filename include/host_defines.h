/* The keywords of CUDA C++ (__global__, __device__, ...) for this compiler. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

/* clang defines __CUDA__ for the language; nvcc defines __CUDACC__, which programs test.
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

/* clang 19 lacks these keywords. They reach the device compiler as annotations, or as the name of a section, which
 * extern declarations have too. A managed variable is defined in host code and referenced by device code, so it must be
 * emitted even if host code does not use it. */
#ifdef __CUDA_ARCH__
#define __managed__ __device__ __attribute__((section("reprise.managed")))
#else
#define __managed__                                                                             \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-attributes\"") \
      __attribute__((used)) _Pragma("clang diagnostic pop")
#endif
#define __cluster_dims__(...) __attribute__((annotate("reprise.cluster_dims", __VA_ARGS__)))
/* No effect: parameters are in ordinary memory, so their addresses can be taken anyway. */
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

/* Code is never compiled for a specific chip or family. */
#define __CUDA_HAS_ARCH_SPECIFIC(n) 0
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(n) 0

#endif /* __HOST_DEFINES_H__ */
