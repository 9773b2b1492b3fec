// Tests for NaN, infinity and sign by the names that clang's CUDA headers and old CUDA code use.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ int __isnanf(float __x) { return __builtin_isnan(__x); }
__REPRISE_DEVICE__ int __isnan(double __x) { return __builtin_isnan(__x); }
__REPRISE_DEVICE__ int __isinff(float __x) { return __builtin_isinf(__x); }
__REPRISE_DEVICE__ int __isinf(double __x) { return __builtin_isinf(__x); }
__REPRISE_DEVICE__ int __finitef(float __x) { return __builtin_isfinite(__x); }
__REPRISE_DEVICE__ int __finite(double __x) { return __builtin_isfinite(__x); }
__REPRISE_DEVICE__ int __isfinited(double __x) { return __builtin_isfinite(__x); }
__REPRISE_DEVICE__ int __signbitf(float __x) { return __reprise_bit_cast<unsigned>(__x) >> 31; }
__REPRISE_DEVICE__ int __signbit(double __x) { return (int)(__reprise_bit_cast<unsigned long long>(__x) >> 63); }
__REPRISE_DEVICE__ int __signbitd(double __x) { return __signbit(__x); }

#undef __REPRISE_DEVICE__
