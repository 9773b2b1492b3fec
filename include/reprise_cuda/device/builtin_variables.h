// threadIdx, blockIdx, blockDim, gridDim, warpSize. Each is an empty object whose x, y and z are properties: reading
// one calls a device builtin, so an index costs nothing until it is used and never goes through memory.
#pragma once

#include <vector_types.h>

#include <reprise_cuda/device/builtins.h>

#define __REPRISE_INDEX_VARIABLE__(name, prefix)                                                         \
  struct __reprise_##name {                                                                              \
    __declspec(property(get = __get_x)) unsigned x;                                                      \
    __declspec(property(get = __get_y)) unsigned y;                                                      \
    __declspec(property(get = __get_z)) unsigned z;                                                      \
    static __device__ __forceinline__ unsigned __get_x() { return __reprise_##prefix##_x(); }            \
    static __device__ __forceinline__ unsigned __get_y() { return __reprise_##prefix##_y(); }            \
    static __device__ __forceinline__ unsigned __get_z() { return __reprise_##prefix##_z(); }            \
    __device__ __forceinline__ operator dim3() const { return dim3(__get_x(), __get_y(), __get_z()); }   \
    __device__ __forceinline__ operator uint3() const { return uint3{__get_x(), __get_y(), __get_z()}; } \
  };                                                                                                     \
  extern const __device__ __attribute__((weak)) __reprise_##name name;

__REPRISE_INDEX_VARIABLE__(threadIdx, tid)
__REPRISE_INDEX_VARIABLE__(blockIdx, ctaid)
__REPRISE_INDEX_VARIABLE__(blockDim, ntid)
__REPRISE_INDEX_VARIABLE__(gridDim, nctaid)
#undef __REPRISE_INDEX_VARIABLE__

__device__ const int warpSize = 32;
