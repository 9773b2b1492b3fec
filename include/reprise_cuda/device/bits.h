// Reinterprets the bits of a value as another type: __float_as_int and the like.
#pragma once

template <class __To, class __From>
static __host__ __device__ __forceinline__ __To __reprise_bit_cast(__From __value) {
  static_assert(sizeof(__To) == sizeof(__From), "a bit cast keeps the size");
  __To __result;
  __builtin_memcpy(&__result, &__value, sizeof(__result));
  return __result;
}

static __device__ __forceinline__ int __float_as_int(float __x) { return __reprise_bit_cast<int>(__x); }
static __device__ __forceinline__ unsigned __float_as_uint(float __x) { return __reprise_bit_cast<unsigned>(__x); }
static __device__ __forceinline__ float __int_as_float(int __x) { return __reprise_bit_cast<float>(__x); }
static __device__ __forceinline__ float __uint_as_float(unsigned __x) { return __reprise_bit_cast<float>(__x); }
static __device__ __forceinline__ long long __double_as_longlong(double __x) {
  return __reprise_bit_cast<long long>(__x);
}
static __device__ __forceinline__ double __longlong_as_double(long long __x) { return __reprise_bit_cast<double>(__x); }
static __device__ __forceinline__ int __double2hiint(double __x) {
  return (int)(__reprise_bit_cast<unsigned long long>(__x) >> 32);
}
static __device__ __forceinline__ int __double2loint(double __x) {
  return (int)(unsigned)__reprise_bit_cast<unsigned long long>(__x);
}
static __device__ __forceinline__ double __hiloint2double(int __high, int __low) {
  return __reprise_bit_cast<double>((unsigned long long)(unsigned)__high << 32 | (unsigned)__low);
}
