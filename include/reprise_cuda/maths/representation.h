// The bits of floating-point numbers: exponents, scaling by powers of two, neighbours.
#pragma once

#include <reprise_cuda/maths/qualifiers.h>

template <class __T>
struct __reprise_real;

template <>
struct __reprise_real<float> {
  using __bits = int;
  static constexpr int __mantissa = 23, __bias = 127;
  static constexpr int __infinity = 0x7f800000, __sign = (int)0x80000000u;
};
template <>
struct __reprise_real<double> {
  using __bits = long long;
  static constexpr int __mantissa = 52, __bias = 1023;
  static constexpr long long __infinity = 0x7ff0000000000000ll, __sign = (long long)0x8000000000000000ull;
};

template <class __T>
__REPRISE_MATHS__ typename __reprise_real<__T>::__bits __reprise_to_bits(__T __x) {
  typename __reprise_real<__T>::__bits __bits;
  __builtin_memcpy(&__bits, &__x, sizeof(__bits));
  return __bits;
}
__REPRISE_MATHS__ float __reprise_from_bits(int __bits) {
  float __x;
  __builtin_memcpy(&__x, &__bits, sizeof(__x));
  return __x;
}
__REPRISE_MATHS__ double __reprise_from_bits(long long __bits) {
  double __x;
  __builtin_memcpy(&__x, &__bits, sizeof(__x));
  return __x;
}

// 2 to the power of __n, for the exponents of normal numbers.
template <class __T>
__REPRISE_MATHS__ __T __reprise_power_of_two(int __n) {
  using __format = __reprise_real<__T>;
  return __reprise_from_bits((typename __format::__bits)(__n + __format::__bias) << __format::__mantissa);
}

// x times 2 to the n, rounded once even if the result is subnormal: the first two factors keep it normal.
template <class __T>
__REPRISE_MATHS__ __T __reprise_scale(__T __x, int __n) {
  using __format = __reprise_real<__T>;
  constexpr int __most = __format::__bias, __least = 1 - __format::__bias, __guard = __format::__mantissa + 1;
  const int __first = __n > __most ? __most : __n < __least ? __least + __guard : 0;
  __n -= __first;
  const int __second = __n > __most ? __most : __n < __least ? __least + __guard : 0;
  __n -= __second;
  __n = __n > __most ? __most : __n < __least ? __least : __n;
  return __x * __reprise_power_of_two<__T>(__first) * __reprise_power_of_two<__T>(__second) *
         __reprise_power_of_two<__T>(__n);
}

template <class __T>
struct __reprise_split {
  __T __fraction;  // with the exponent of 1, or x itself if it is zero, infinite or NaN
  int __exponent;
};
// x = fraction * 2^exponent with 1 <= |fraction| < 2.
template <class __T>
__REPRISE_MATHS__ __reprise_split<__T> __reprise_take_apart(__T __x) {
  using __format = __reprise_real<__T>;
  const bool __subnormal = __builtin_fabs(__x) < __reprise_power_of_two<__T>(1 - __format::__bias);
  const __T __normal = __subnormal ? __x * __reprise_power_of_two<__T>(__format::__mantissa + 1) : __x;
  const auto __bits = __reprise_to_bits(__normal);
  const int __biased = (int)(__bits >> __format::__mantissa) & (2 * __format::__bias + 1);
  const auto __one = (typename __format::__bits)__format::__bias << __format::__mantissa;
  const auto __kept = (((typename __format::__bits)1 << __format::__mantissa) - 1) | __format::__sign;
  return {__reprise_from_bits((__bits & __kept) | __one),
          __biased - __format::__bias - (__subnormal ? __format::__mantissa + 1 : 0)};
}
template <class __T>
__REPRISE_MATHS__ bool __reprise_is_ordinary(__T __x) {  // neither zero, nor infinite, nor a NaN
  return __x != 0 && __x - __x == 0;
}

template <class __T>
__REPRISE_MATHS__ __T __reprise_frexp(__T __x, int* __exponent) {
  const auto __parts = __reprise_take_apart(__x);
  const bool __ordinary = __reprise_is_ordinary(__x);
  *__exponent = __ordinary ? __parts.__exponent + 1 : 0;
  return __ordinary ? __parts.__fraction * (__T)0.5 : __x + __x;
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_logb(__T __x) {
  return __reprise_is_ordinary(__x) ? (__T)__reprise_take_apart(__x).__exponent
         : __x == 0                 ? -(__T)__builtin_huge_val()
                                    : __x * __x;
}
template <class __T>
__REPRISE_MATHS__ int __reprise_ilogb(__T __x) {
  return __reprise_is_ordinary(__x) ? __reprise_take_apart(__x).__exponent
         : __x == 0 || __x != __x   ? -2147483647 - 1
                                    : 2147483647;
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_modf(__T __x, __T* __whole) {
  const __T __integer = __builtin_elementwise_trunc(__x);
  *__whole = __integer;
  return __builtin_elementwise_copysign(__x - __x != 0 && __x == __x ? (__T)0 : __x - __integer, __x);
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_next_after(__T __x, __T __towards) {
  using __bits = typename __reprise_real<__T>::__bits;
  if (__x != __x || __towards != __towards) return __x + __towards;
  if (__x == __towards) return __towards;
  const __bits __from = __reprise_to_bits(__x);
  const __T __least = __reprise_from_bits((__bits)1);
  const __T __stepped = __reprise_from_bits(__from + (((__x < __towards) == (__x > 0)) ? 1 : -1));
  return __x == 0 ? __builtin_elementwise_copysign(__least, __towards) : __stepped;
}
