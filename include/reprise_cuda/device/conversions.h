// Conversions with a chosen rounding: _rn to nearest even, _rz to zero, _ru up, _rd down.
// Conversions to integers saturate. As on a GPU, a NaN becomes 0 in conversions of floats to 32 bits, and otherwise the
// bit pattern of the lowest value.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

// The next float up or down, of a float that is neither NaN nor the infinity in that direction.
__REPRISE_DEVICE__ float __reprise_next_up(float __x) {
  const int __bits = __reprise_bit_cast<int>(__x);
  return __x == 0 ? 0x1p-149f : __reprise_bit_cast<float>(__bits >= 0 ? __bits + 1 : __bits - 1);
}
__REPRISE_DEVICE__ float __reprise_next_down(float __x) { return -__reprise_next_up(-__x); }
__REPRISE_DEVICE__ double __reprise_next_up(double __x) {
  const long long __bits = __reprise_bit_cast<long long>(__x);
  return __x == 0 ? 0x1p-1074 : __reprise_bit_cast<double>(__bits >= 0 ? __bits + 1 : __bits - 1);
}
__REPRISE_DEVICE__ double __reprise_next_down(double __x) { return -__reprise_next_up(-__x); }

// ---- to integers ----
template <class __Integer, class __Real>
__REPRISE_DEVICE__ __Integer __reprise_saturate(__Real __x, __Real __low, __Real __beyond, __Integer __least,
                                                __Integer __most, __Integer __not_a_number) {
  if (__x != __x) return __not_a_number;
  if (__x >= __beyond) return __most;
  if (__x < __low) return __least;
  return (__Integer)__x;
}

#define __REPRISE_TO_INTEGER__(suffix, floats, doubles)                                                      \
  __REPRISE_DEVICE__ int __float2int_##suffix(float __x) {                                                   \
    return __reprise_saturate<int>(floats(__x), -0x1p31f, 0x1p31f, INT_MIN, INT_MAX, 0);                     \
  }                                                                                                          \
  __REPRISE_DEVICE__ unsigned __float2uint_##suffix(float __x) {                                             \
    return __reprise_saturate<unsigned>(floats(__x), 0.0f, 0x1p32f, 0u, UINT_MAX, 0u);                       \
  }                                                                                                          \
  __REPRISE_DEVICE__ long long __float2ll_##suffix(float __x) {                                              \
    return __reprise_saturate<long long>(floats(__x), -0x1p63f, 0x1p63f, LLONG_MIN, LLONG_MAX, LLONG_MIN);   \
  }                                                                                                          \
  __REPRISE_DEVICE__ unsigned long long __float2ull_##suffix(float __x) {                                    \
    return __reprise_saturate<unsigned long long>(floats(__x), 0.0f, 0x1p64f, 0ull, ULLONG_MAX, 1ull << 63); \
  }                                                                                                          \
  __REPRISE_DEVICE__ int __double2int_##suffix(double __x) {                                                 \
    return __reprise_saturate<int>(doubles(__x), -0x1p31, 0x1p31, INT_MIN, INT_MAX, INT_MIN);                \
  }                                                                                                          \
  __REPRISE_DEVICE__ unsigned __double2uint_##suffix(double __x) {                                           \
    return __reprise_saturate<unsigned>(doubles(__x), 0.0, 0x1p32, 0u, UINT_MAX, 1u << 31);                  \
  }                                                                                                          \
  __REPRISE_DEVICE__ long long __double2ll_##suffix(double __x) {                                            \
    return __reprise_saturate<long long>(doubles(__x), -0x1p63, 0x1p63, LLONG_MIN, LLONG_MAX, LLONG_MIN);    \
  }                                                                                                          \
  __REPRISE_DEVICE__ unsigned long long __double2ull_##suffix(double __x) {                                  \
    return __reprise_saturate<unsigned long long>(doubles(__x), 0.0, 0x1p64, 0ull, ULLONG_MAX, 1ull << 63);  \
  }
__REPRISE_TO_INTEGER__(rn, __builtin_rintf, __builtin_rint)
__REPRISE_TO_INTEGER__(rz, __builtin_truncf, __builtin_trunc)
__REPRISE_TO_INTEGER__(ru, __builtin_ceilf, __builtin_ceil)
__REPRISE_TO_INTEGER__(rd, __builtin_floorf, __builtin_floor)
#undef __REPRISE_TO_INTEGER__

// ---- double to float ----
__REPRISE_DEVICE__ float __double2float_rn(double __x) { return (float)__x; }
__REPRISE_DEVICE__ float __double2float_ru(double __x) {
  const float __nearest = (float)__x;
  return (double)__nearest < __x ? __reprise_next_up(__nearest) : __nearest;
}
__REPRISE_DEVICE__ float __double2float_rd(double __x) { return -__double2float_ru(-__x); }
__REPRISE_DEVICE__ float __double2float_rz(double __x) {
  return __x > 0 ? __double2float_rd(__x) : __double2float_ru(__x);
}

// ---- from integers ----
__REPRISE_DEVICE__ double __int2double_rn(int __x) { return __x; }
__REPRISE_DEVICE__ double __uint2double_rn(unsigned __x) { return __x; }

// Returns -1, 0 or 1: the exact comparison of the nearest floating-point number with the integer it came from.
__REPRISE_DEVICE__ int __reprise_compare(double __nearest, long long __x) {
  if (__nearest >= 0x1p63) return 1;
  const long long __back = (long long)__nearest;
  return __back < __x ? -1 : __back > __x;
}
__REPRISE_DEVICE__ int __reprise_compare(double __nearest, unsigned long long __x) {
  if (__nearest >= 0x1p64) return 1;
  const unsigned long long __back = (unsigned long long)__nearest;
  return __back < __x ? -1 : __back > __x;
}
template <class __Real, class __Integer>
__REPRISE_DEVICE__ __Real __reprise_from_integer_up(__Integer __x) {
  const __Real __nearest = (__Real)__x;
  return __reprise_compare((double)__nearest, __x) < 0 ? __reprise_next_up(__nearest) : __nearest;
}
template <class __Real, class __Integer>
__REPRISE_DEVICE__ __Real __reprise_from_integer_down(__Integer __x) {
  const __Real __nearest = (__Real)__x;
  return __reprise_compare((double)__nearest, __x) > 0 ? __reprise_next_down(__nearest) : __nearest;
}

#define __REPRISE_FROM_INTEGER__(name, Integer, Wide, Real)                                               \
  __REPRISE_DEVICE__ Real name##_rn(Integer __x) { return (Real)__x; }                                    \
  __REPRISE_DEVICE__ Real name##_ru(Integer __x) { return __reprise_from_integer_up<Real, Wide>(__x); }   \
  __REPRISE_DEVICE__ Real name##_rd(Integer __x) { return __reprise_from_integer_down<Real, Wide>(__x); } \
  __REPRISE_DEVICE__ Real name##_rz(Integer __x) { return __x > 0 ? name##_rd(__x) : name##_ru(__x); }
__REPRISE_FROM_INTEGER__(__int2float, int, long long, float)
__REPRISE_FROM_INTEGER__(__uint2float, unsigned, unsigned long long, float)
__REPRISE_FROM_INTEGER__(__ll2float, long long, long long, float)
__REPRISE_FROM_INTEGER__(__ull2float, unsigned long long, unsigned long long, float)
__REPRISE_FROM_INTEGER__(__ll2double, long long, long long, double)
__REPRISE_FROM_INTEGER__(__ull2double, unsigned long long, unsigned long long, double)
#undef __REPRISE_FROM_INTEGER__

#undef __REPRISE_DEVICE__
