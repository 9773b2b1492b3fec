// Exponentials: e^x = 2^n e^t with |t| <= ln(2)/2. t carries its rounding error along, so that the result is within one
// unit in the last place. There are no branches and no conversions to integers: n is read from the bits of
// n + 1.5 * 2^mantissa.
#pragma once

#include <reprise_cuda/maths/representation.h>

template <class __T>
struct __reprise_exp_constants;

// __series: the coefficients of (e^t - 1 - t) / t^2. Constants that are not exact come as a number and a rest.
template <>
struct __reprise_exp_constants<double> {
  static constexpr double __shifter = 0x1.8p52, __most = 1100, __most_of_ten = 400;  // beyond: 0 or infinite
  static constexpr double __ln2 = 0x1.62e42fefa39efp-1, __ln2_rest = 0x1.abc9e3b39803fp-56;
  static constexpr double __ln10 = 0x1.26bb1bbb55516p+1, __ln10_rest = -0x1.f48ad494ea3e9p-53;
  static constexpr double __log10_2 = 0x1.34413509f79ffp-2, __log10_2_rest = -0x1.9dc1da994fd21p-59;
  static constexpr double __log2_e = 0x1.71547652b82fep+0, __log2_10 = 0x1.a934f0979a371p+1;
  static constexpr int __terms = 11;
  static constexpr double __series[__terms] = {0.5,
                                               0.16666666666666671,
                                               0.041666666666666671,
                                               0.0083333333333255443,
                                               0.0013888888888883327,
                                               0.00019841269876864356,
                                               2.4801587327007187e-05,
                                               2.7557252833516911e-06,
                                               2.75572718102198e-07,
                                               2.5106274733573296e-08,
                                               2.0915442297780116e-09};
};
template <>
struct __reprise_exp_constants<float> {
  static constexpr float __shifter = 0x1.8p23f, __most = 160, __most_of_ten = 60;
  static constexpr float __ln2 = 0x1.62e43p-1f, __ln2_rest = -0x1.05c61p-29f;
  static constexpr float __ln10 = 0x1.26bb1cp+1f, __ln10_rest = -0x1.12aabap-25f;
  static constexpr float __log10_2 = 0x1.344136p-2f, __log10_2_rest = -0x1.ec10cp-27f;
  static constexpr float __log2_e = 0x1.715476p+0f, __log2_10 = 0x1.a934fp+1f;
  static constexpr int __terms = 6;
  static constexpr float __series[__terms] = {0.5f,           0.166666672f,   0.0416664556f,
                                              0.00833331048f, 0.00139345415f, 0.000198919806f};
};

template <class __T>
struct __reprise_sum {  // a number and its rounding error
  __T __value, __rest;
};

// e^t - 1 for t = __t + __rest.
template <class __T>
__REPRISE_MATHS__ __reprise_sum<__T> __reprise_expm1_reduced(__T __t, __T __rest) {
  __REPRISE_UNFUSED__
  using __c = __reprise_exp_constants<__T>;
  __T __series = __c::__series[__c::__terms - 1];
#pragma unroll
  for (int __i = __c::__terms - 2; __i >= 0; --__i)
    __series = __builtin_elementwise_fma(__series, __t, (__T)__c::__series[__i]);
  const __T __more = __t * __t * __series, __value = __t + __more;
  return {__value, ((__t - __value) + __more) + __builtin_elementwise_fma(__rest, __value, __rest)};
}

// The integer nearest to x, for |x| below a quarter of the shifter.
template <class __T>
__REPRISE_MATHS__ __T __reprise_nearest_whole(__T __x) {
  __REPRISE_UNFUSED__
  return (__x + __reprise_exp_constants<__T>::__shifter) - __reprise_exp_constants<__T>::__shifter;
}
// 2^n for an integer n in the range of normal exponents.
template <class __T>
__REPRISE_MATHS__ __T __reprise_two_to(__T __n) {
  using __format = __reprise_real<__T>;
  const auto __bits = __reprise_to_bits(__n + __reprise_exp_constants<__T>::__shifter);
  return __reprise_from_bits((__bits << __format::__mantissa) + __reprise_to_bits((__T)1));
}
// y * 2^n, rounded once. n is applied in two halves, since 2^n alone may be out of range.
template <class __T>
__REPRISE_MATHS__ __T __reprise_scale_whole(__T __y, __T __n) {
  const __T __half = __reprise_nearest_whole(__n * (__T)0.5);
  return __y * __reprise_two_to(__half) * __reprise_two_to(__n - __half);
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_within(__T __x, __T __most) {  // a NaN stays one
  __x = __x > __most ? __most : __x;
  return __x < -__most ? -__most : __x;
}

template <class __T>
__REPRISE_MATHS__ __T __reprise_exp(__T __x) {
  __REPRISE_UNFUSED__
  using __c = __reprise_exp_constants<__T>;
  const __T __a = __reprise_within(__x, (__T)__c::__most);
  const __T __n = __reprise_nearest_whole(__a * __c::__log2_e);
  const __T __t = __builtin_elementwise_fma(-__n, (__T)__c::__ln2, __a), __rest = -__n * __c::__ln2_rest;
  const auto __e = __reprise_expm1_reduced(__t, __rest);
  return __reprise_scale_whole((__T)1 + (__e.__value + __e.__rest), __n);
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_exp2(__T __x) {
  __REPRISE_UNFUSED__
  using __c = __reprise_exp_constants<__T>;
  const __T __a = __reprise_within(__x, (__T)__c::__most);
  const __T __n = __reprise_nearest_whole(__a), __r = __a - __n, __t = __r * __c::__ln2;
  const __T __rest = __builtin_elementwise_fma(__r, (__T)__c::__ln2, -__t) + __r * __c::__ln2_rest;
  const auto __e = __reprise_expm1_reduced(__t, __rest);
  return __reprise_scale_whole((__T)1 + (__e.__value + __e.__rest), __n);
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_exp10(__T __x) {
  __REPRISE_UNFUSED__
  using __c = __reprise_exp_constants<__T>;
  const __T __a = __reprise_within(__x, (__T)__c::__most_of_ten);
  const __T __n = __reprise_nearest_whole(__a * __c::__log2_10);
  const __T __r = __builtin_elementwise_fma(-__n, (__T)__c::__log10_2, __a), __t = __r * __c::__ln10;
  const __T __rest = __builtin_elementwise_fma(__r, (__T)__c::__ln10, -__t) +
                     (__r * __c::__ln10_rest - __n * __c::__log10_2_rest * __c::__ln10);
  const auto __e = __reprise_expm1_reduced(__t, __rest);
  return __reprise_scale_whole((__T)1 + (__e.__value + __e.__rest), __n);
}

// e^y - 1 with its rest, for 0 <= y < 40.
template <class __T>
__REPRISE_MATHS__ __reprise_sum<__T> __reprise_expm1_positive(__T __y) {
  __REPRISE_UNFUSED__
  using __c = __reprise_exp_constants<__T>;
  const __T __n = __reprise_nearest_whole(__y * __c::__log2_e), __scale = __reprise_two_to(__n);
  const auto __e =
      __reprise_expm1_reduced(__builtin_elementwise_fma(-__n, (__T)__c::__ln2, __y), -__n * __c::__ln2_rest);
  const __T __a = __scale - (__T)1, __b = __scale * __e.__value, __sum = __a + __b, __of_b = __sum - __a;
  return {__sum, ((__a - (__sum - __of_b)) + (__b - __of_b)) + __scale * __e.__rest};
}

// tanh x = (e^2x - 1) / (e^2x + 1)
template <class __T>
__REPRISE_MATHS__ __T __reprise_tanh(__T __x) {
  __REPRISE_UNFUSED__
  const __T __magnitude = __builtin_elementwise_abs(__x);
  const __T __y = __magnitude > (__T)20 ? (__T)40 : __magnitude * (__T)2;
  const auto __above = __reprise_expm1_positive(__y);
  const __T __below = __above.__value + (__T)2;
  // The rounding error of the sum is the part of the smaller operand that was lost.
  const __T __below_rest = __above.__value > (__T)2 ? ((__T)2 - (__below - __above.__value)) + __above.__rest
                                                    : (__above.__value - (__below - (__T)2)) + __above.__rest;
  const __T __quotient = __above.__value / __below;
  const __T __missing =
      __builtin_elementwise_fma(-__quotient, __below, __above.__value) + (__above.__rest - __quotient * __below_rest);
  return __builtin_elementwise_copysign(__quotient + __missing / __below, __x);
}
