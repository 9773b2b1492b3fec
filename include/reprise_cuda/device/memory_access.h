// Loads and stores with cache hints, which mean nothing here; questions about state spaces, and conversions between
// them, which keep the address.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

// Overloads for every type that CUDA lists: a template would also accept types for which nvcc has no such load.
#define __REPRISE_HINTED__(T)                                                   \
  __REPRISE_DEVICE__ T __ldg(const T* __p) { return *__p; }                     \
  __REPRISE_DEVICE__ T __ldcg(const T* __p) { return *__p; }                    \
  __REPRISE_DEVICE__ T __ldca(const T* __p) { return *__p; }                    \
  __REPRISE_DEVICE__ T __ldcs(const T* __p) { return *__p; }                    \
  __REPRISE_DEVICE__ T __ldlu(const T* __p) { return *__p; }                    \
  __REPRISE_DEVICE__ T __ldcv(const T* __p) { return *(const volatile T*)__p; } \
  __REPRISE_DEVICE__ void __stwb(T* __p, T __value) { *__p = __value; }         \
  __REPRISE_DEVICE__ void __stcg(T* __p, T __value) { *__p = __value; }         \
  __REPRISE_DEVICE__ void __stcs(T* __p, T __value) { *__p = __value; }         \
  __REPRISE_DEVICE__ void __stwt(T* __p, T __value) { *(volatile T*)__p = __value; }
__REPRISE_HINTED__(char)
__REPRISE_HINTED__(signed char)
__REPRISE_HINTED__(unsigned char)
__REPRISE_HINTED__(short)
__REPRISE_HINTED__(unsigned short)
__REPRISE_HINTED__(int)
__REPRISE_HINTED__(unsigned)
__REPRISE_HINTED__(long)
__REPRISE_HINTED__(unsigned long)
__REPRISE_HINTED__(long long)
__REPRISE_HINTED__(unsigned long long)
__REPRISE_HINTED__(float)
__REPRISE_HINTED__(double)
#undef __REPRISE_HINTED__

// A class cannot be copied from a volatile object, so vectors use a plain access.
#define __REPRISE_HINTED__(T)                                           \
  __REPRISE_DEVICE__ T __ldg(const T* __p) { return *__p; }             \
  __REPRISE_DEVICE__ T __ldcg(const T* __p) { return *__p; }            \
  __REPRISE_DEVICE__ T __ldca(const T* __p) { return *__p; }            \
  __REPRISE_DEVICE__ T __ldcs(const T* __p) { return *__p; }            \
  __REPRISE_DEVICE__ T __ldlu(const T* __p) { return *__p; }            \
  __REPRISE_DEVICE__ T __ldcv(const T* __p) { return *__p; }            \
  __REPRISE_DEVICE__ void __stwb(T* __p, T __value) { *__p = __value; } \
  __REPRISE_DEVICE__ void __stcg(T* __p, T __value) { *__p = __value; } \
  __REPRISE_DEVICE__ void __stcs(T* __p, T __value) { *__p = __value; } \
  __REPRISE_DEVICE__ void __stwt(T* __p, T __value) { *__p = __value; }
__REPRISE_HINTED__(char2)
__REPRISE_HINTED__(char4)
__REPRISE_HINTED__(uchar2)
__REPRISE_HINTED__(uchar4)
__REPRISE_HINTED__(short2)
__REPRISE_HINTED__(short4)
__REPRISE_HINTED__(ushort2)
__REPRISE_HINTED__(ushort4)
__REPRISE_HINTED__(int2)
__REPRISE_HINTED__(int4)
__REPRISE_HINTED__(uint2)
__REPRISE_HINTED__(uint4)
__REPRISE_HINTED__(longlong2)
__REPRISE_HINTED__(ulonglong2)
__REPRISE_HINTED__(float2)
__REPRISE_HINTED__(float4)
__REPRISE_HINTED__(double2)
#undef __REPRISE_HINTED__

// Which space an address is in.
__REPRISE_DEVICE__ unsigned __isGlobal(const void* __p) { return __reprise_is_global(__p); }
__REPRISE_DEVICE__ unsigned __isShared(const void* __p) { return __reprise_is_shared(__p); }
__REPRISE_DEVICE__ unsigned __isClusterShared(const void* __p) { return __reprise_is_shared(__p); }
__REPRISE_DEVICE__ unsigned __isConstant(const void* __p) { return __reprise_is_constant(__p); }
__REPRISE_DEVICE__ unsigned __isLocal(const void* __p) { return __reprise_is_local(__p); }
__REPRISE_DEVICE__ unsigned __isGridConstant(const void* __p) { return __reprise_is_parameter(__p); }

// All address spaces are one, so the conversions return the address itself.
__REPRISE_DEVICE__ size_t __cvta_generic_to_global(const void* __p) { return (size_t)__p; }
__REPRISE_DEVICE__ size_t __cvta_generic_to_shared(const void* __p) { return (size_t)__p; }
__REPRISE_DEVICE__ size_t __cvta_generic_to_constant(const void* __p) { return (size_t)__p; }
__REPRISE_DEVICE__ size_t __cvta_generic_to_local(const void* __p) { return (size_t)__p; }
__REPRISE_DEVICE__ size_t __cvta_generic_to_grid_constant(const void* __p) { return (size_t)__p; }
__REPRISE_DEVICE__ void* __cvta_grid_constant_to_generic(size_t __p) { return (void*)__p; }
__REPRISE_DEVICE__ void* __cvta_global_to_generic(size_t __p) { return (void*)__p; }
__REPRISE_DEVICE__ void* __cvta_shared_to_generic(size_t __p) { return (void*)__p; }
__REPRISE_DEVICE__ void* __cvta_constant_to_generic(size_t __p) { return (void*)__p; }
__REPRISE_DEVICE__ void* __cvta_local_to_generic(size_t __p) { return (void*)__p; }

#undef __REPRISE_DEVICE__
