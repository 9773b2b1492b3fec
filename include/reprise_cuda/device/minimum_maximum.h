// min and max of mixed types, in host and device code. As in CUDA, an unsigned operand makes the result unsigned, and
// the result of a NaN and a number is the number.
#pragma once

#define __REPRISE_BOTH__ static __host__ __device__ __forceinline__

// clang's header has the device overloads of this pair.
static __host__ __forceinline__ int min(int __a, int __b) { return __b < __a ? __b : __a; }
static __host__ __forceinline__ int max(int __a, int __b) { return __a < __b ? __b : __a; }

// The same by other names; clang's header has their device overloads too.
static __host__ __forceinline__ unsigned umin(unsigned __a, unsigned __b) { return __b < __a ? __b : __a; }
static __host__ __forceinline__ unsigned umax(unsigned __a, unsigned __b) { return __a < __b ? __b : __a; }
static __host__ __forceinline__ long long llmin(long long __a, long long __b) { return __b < __a ? __b : __a; }
static __host__ __forceinline__ long long llmax(long long __a, long long __b) { return __a < __b ? __b : __a; }
static __host__ __forceinline__ unsigned long long ullmin(unsigned long long __a, unsigned long long __b) {
  return __b < __a ? __b : __a;
}
static __host__ __forceinline__ unsigned long long ullmax(unsigned long long __a, unsigned long long __b) {
  return __a < __b ? __b : __a;
}

#define __REPRISE_MIN_MAX__(A, B, Result)                                                                     \
  __REPRISE_BOTH__ Result min(A __a, B __b) { return (Result)__b < (Result)__a ? (Result)__b : (Result)__a; } \
  __REPRISE_BOTH__ Result max(A __a, B __b) { return (Result)__a < (Result)__b ? (Result)__b : (Result)__a; }
#define __REPRISE_INTEGER_MIN_MAX__(Signed, Unsigned) \
  __REPRISE_MIN_MAX__(Unsigned, Unsigned, Unsigned)   \
  __REPRISE_MIN_MAX__(Signed, Unsigned, Unsigned)     \
  __REPRISE_MIN_MAX__(Unsigned, Signed, Unsigned)
__REPRISE_INTEGER_MIN_MAX__(int, unsigned)
__REPRISE_MIN_MAX__(long, long, long)
__REPRISE_INTEGER_MIN_MAX__(long, unsigned long)
__REPRISE_MIN_MAX__(long long, long long, long long)
__REPRISE_INTEGER_MIN_MAX__(long long, unsigned long long)
#undef __REPRISE_INTEGER_MIN_MAX__
#undef __REPRISE_MIN_MAX__

__REPRISE_BOTH__ float min(float __a, float __b) { return __builtin_fminf(__a, __b); }
__REPRISE_BOTH__ float max(float __a, float __b) { return __builtin_fmaxf(__a, __b); }
__REPRISE_BOTH__ double min(double __a, double __b) { return __builtin_fmin(__a, __b); }
__REPRISE_BOTH__ double max(double __a, double __b) { return __builtin_fmax(__a, __b); }
__REPRISE_BOTH__ double min(float __a, double __b) { return __builtin_fmin(__a, __b); }
__REPRISE_BOTH__ double max(float __a, double __b) { return __builtin_fmax(__a, __b); }
__REPRISE_BOTH__ double min(double __a, float __b) { return __builtin_fmin(__a, __b); }
__REPRISE_BOTH__ double max(double __a, float __b) { return __builtin_fmax(__a, __b); }

#undef __REPRISE_BOTH__
