// Logarithms: x = 2^e m with m around one, and log m = 2 artanh(s) with s = (m - 1)/(m + 1), where s carries its
// rounding error along. Within one unit in the last place, without branches.
#pragma once

#include <reprise_cuda/maths/exponential.h>
#include <reprise_cuda/maths/representation.h>

template <class __T>
struct __reprise_log_constants;

// __series: the coefficients of (2 artanh(s) - 2s) / s^3 in s^2. The constants that e multiplies have so few bits that
// the product is exact.
template <>
struct __reprise_log_constants<double> {
  static constexpr double __root_half = 0x1.6a09e667f3bcdp-1;
  static constexpr double __ln2 = 0x1.62e42fefa4p-1, __ln2_rest = -0x1.8432a1b0e2634p-43;
  static constexpr double __log10_2 = 0x1.34413509f8p-2, __log10_2_rest = -0x1.80433b83b532ap-44;
  static constexpr double __log2_e = 0x1.71547652b82fep+0, __log2_e_rest = 0x1.777d0ffda0d24p-56;
  static constexpr double __log10_e = 0x1.bcb7b1526e50ep-2, __log10_e_rest = 0x1.95355baaafad3p-57;
  static constexpr int __terms = 8;
  static constexpr double __series[__terms] = {0.66666666666666663, 0.4000000000000094,  0.28571428570764451,
                                               0.22222222400547759, 0.18181794700897799, 0.15386290534658992,
                                               0.13267418596474884, 0.13100721383503491};
};
template <>
struct __reprise_log_constants<float> {
  static constexpr float __root_half = 0x1.6a09e6p-1f;
  static constexpr float __ln2 = 0x1.62e4p-1f, __ln2_rest = 0x1.7f7d1cp-20f;
  static constexpr float __log10_2 = 0x1.344p-2f, __log10_2_rest = 0x1.3509f8p-18f;
  static constexpr float __log2_e = 0x1.715476p+0f, __log2_e_rest = 0x1.4ae0cp-26f;
  static constexpr float __log10_e = 0x1.bcb7b2p-2f, __log10_e_rest = -0x1.5b235ep-27f;
  static constexpr int __terms = 4;
  static constexpr float __series[__terms] = {0.666666687f, 0.400001258f, 0.285503983f, 0.233419433f};
};

template <class __T>
struct __reprise_log_parts {
  __T __exponent;                // an integer
  __reprise_sum<__T> __natural;  // log m
};

// For x > 0, finite.
template <class __T>
__REPRISE_MATHS__ __reprise_log_parts<__T> __reprise_log_parts_of(__T __x) {
  __REPRISE_UNFUSED__
  using __format = __reprise_real<__T>;
  using __c = __reprise_log_constants<__T>;
  const bool __subnormal = __x < __reprise_power_of_two<__T>(1 - __format::__bias);
  const auto __bits =
      __reprise_to_bits(__subnormal ? __x * __reprise_power_of_two<__T>(__format::__mantissa + 1) : __x);
  // Counted from the bits of sqrt(1/2), the exponent field is the power of two that brings m between sqrt(1/2) and
  // sqrt(2). Placed in the mantissa of a number, it becomes a floating-point value without a conversion.
  const auto __start = __reprise_to_bits((__T)__c::__root_half);
  const auto __raised = __bits - __start;
  const auto __kept = ((typename __format::__bits)1 << __format::__mantissa) - 1;
  const __T __m = __reprise_from_bits((__raised & __kept) + __start);
  const auto __bias = (typename __format::__bits)1 << (sizeof(__T) * 8 - __format::__mantissa - 1);
  const auto __field = (typename __format::__bits)((__raised >> __format::__mantissa) + __bias);
  const __T __shifter = __reprise_exp_constants<__T>::__shifter;
  const __T __counted = __reprise_from_bits(__reprise_to_bits(__shifter) + __field) - __shifter;
  const __T __e = __counted - (__T)__bias - (__subnormal ? (__T)(__format::__mantissa + 1) : (__T)0);

  const __T __f = __m - (__T)1, __d = __m + (__T)1, __d_rest = __f - (__d - (__T)2);
  const __T __s = __f / __d;
  const __T __s_rest = (__builtin_elementwise_fma(-__s, __d, __f) - __s * __d_rest) / __d;
  const __T __z = __s * __s;
  __T __series = __c::__series[__c::__terms - 1];
#pragma unroll
  for (int __i = __c::__terms - 2; __i >= 0; --__i)
    __series = __builtin_elementwise_fma(__series, __z, (__T)__c::__series[__i]);
  return {__e, {(__T)2 * __s, __builtin_elementwise_fma(__s * __z, __series, (__T)2 * __s_rest)}};
}

// __e * __of_two + the natural part, both in one base; zeros, negatives, infinities and NaN as in IEEE 754.
template <class __T>
__REPRISE_MATHS__ __T __reprise_log_result(__T __x, __T __e, __T __of_two, __T __of_two_rest, __T __part, __T __rest) {
  __REPRISE_UNFUSED__
  const __T __whole = __e * __of_two, __sum = __whole + __part;
  const __T __lost = __e == 0 ? (__T)0 : (__whole - __sum) + __part;
  const __T __result = __sum + (__lost + (__rest + __e * __of_two_rest));
  const __T __infinity = (__T)__builtin_huge_val();
  // Tests 0 < x < infinity on the bits. LLVM turns a test of the number into a test of its class, which it does not
  // vectorise.
  const auto __bits = __reprise_to_bits(__x);
  const bool __ordinary = (__bits > 0) & (__bits < __reprise_real<__T>::__infinity);
  return __ordinary ? __result : __x == 0 ? -__infinity : __x < 0 ? (__T)__builtin_nan("") : __x;
}

template <class __T>
__REPRISE_MATHS__ __T __reprise_log(__T __x) {
  using __c = __reprise_log_constants<__T>;
  const auto __p = __reprise_log_parts_of(__x);
  return __reprise_log_result(__x, __p.__exponent, (__T)__c::__ln2, (__T)__c::__ln2_rest, __p.__natural.__value,
                              __p.__natural.__rest);
}
// In another base: the natural part times a constant, with the rounding error of that product.
template <class __T>
__REPRISE_MATHS__ __T __reprise_log_in_base(__T __x, __T __factor, __T __factor_rest, __T __of_two, __T __of_two_rest) {
  __REPRISE_UNFUSED__
  const auto __p = __reprise_log_parts_of(__x);
  const __T __part = __p.__natural.__value * __factor;
  const __T __rest = __builtin_elementwise_fma(__p.__natural.__value, __factor, -__part) +
                     (__p.__natural.__value * __factor_rest + __p.__natural.__rest * __factor);
  return __reprise_log_result(__x, __p.__exponent, __of_two, __of_two_rest, __part, __rest);
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_log2(__T __x) {
  using __c = __reprise_log_constants<__T>;
  return __reprise_log_in_base(__x, (__T)__c::__log2_e, (__T)__c::__log2_e_rest, (__T)1, (__T)0);
}
template <class __T>
__REPRISE_MATHS__ __T __reprise_log10(__T __x) {
  using __c = __reprise_log_constants<__T>;
  return __reprise_log_in_base(__x, (__T)__c::__log10_e, (__T)__c::__log10_e_rest, (__T)__c::__log10_2,
                               (__T)__c::__log10_2_rest);
}
