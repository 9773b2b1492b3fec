// sin and cos of pi times x. The argument is reduced exactly to at most a quarter.
#pragma once

#include <reprise_cuda/maths/representation.h>

template <class __T>
struct __reprise_pi_coefficients;

// pi as the sum of two numbers, then the Taylor coefficients of sin(pi r)/r and cos(pi r) in r*r.
template <>
struct __reprise_pi_coefficients<double> {
  static constexpr double __pi = 3.141592653589793, __pi_rest = 1.2246467991473532e-16;
  static constexpr int __terms = 8;
  static constexpr double __sine[__terms] = {-5.1677127800499703,     2.5501640398773455,     -0.59926452932079211,
                                             0.082145886611128233,    -0.0073704309457143504, 0.00046630280576761255,
                                             -2.1915353447830217e-05, 7.9520540014755126e-07};
  static constexpr double __cosine[__terms] = {-4.934802200544679,     4.0587121264167685,    -1.3352627688545895,
                                               0.23533063035889321,    -0.025806891390014061, 0.0019295743094039231,
                                               -0.0001046381049248457, 4.3030695870329473e-06};
};
template <>
struct __reprise_pi_coefficients<float> {
  static constexpr float __pi = 3.14159274f, __pi_rest = -8.742278e-8f;
  static constexpr int __terms = 5;
  static constexpr float __sine[__terms] = {-5.16771278f, 2.55016404f, -0.599264529f, 0.0821458866f, -0.00737043095f};
  static constexpr float __cosine[__terms] = {-4.9348022f, 4.05871213f, -1.33526277f, 0.23533063f, -0.0258068914f};
};

template <class __T>
struct __reprise_sine_and_cosine {
  __T __sine, __cosine;
};

// For |r| <= 1/4.
template <class __T>
__REPRISE_MATHS__ __reprise_sine_and_cosine<__T> __reprise_sincospi_reduced(__T __r) {
  using __c = __reprise_pi_coefficients<__T>;
  const __T __s = __r * __r;
  __T __sine = __c::__sine[__c::__terms - 1], __cosine = __c::__cosine[__c::__terms - 1];
#pragma unroll
  for (int __i = __c::__terms - 2; __i >= 0; --__i) {
    __sine = __builtin_elementwise_fma(__sine, __s, (__T)__c::__sine[__i]);
    __cosine = __builtin_elementwise_fma(__cosine, __s, (__T)__c::__cosine[__i]);
  }
  __sine = __builtin_elementwise_fma(__sine, __s, (__T)__c::__pi_rest);
  return {__builtin_elementwise_fma(__r, (__T)__c::__pi, __r * __sine),
          __builtin_elementwise_fma(__cosine, __s, (__T)1)};
}

template <class __T>
__REPRISE_MATHS__ __reprise_sine_and_cosine<__T> __reprise_sincospi(__T __x) {
  const __T __magnitude = __builtin_elementwise_abs(__x);
  // From 2^mantissa+1 on every number is an even integer; infinities become NaN here.
  const __T __huge = __reprise_power_of_two<__T>(__reprise_real<__T>::__mantissa + 1);
  const __T __a = __magnitude < __huge ? __magnitude : __magnitude - __magnitude;
  const __T __halves = __builtin_elementwise_rint(__a * 2);
  const auto __reduced = __reprise_sincospi_reduced(__a - __halves * (__T)0.5);
  const int __quadrant = (int)(__halves - 4 * __builtin_elementwise_floor(__halves * (__T)0.25));
  const __T __s = __quadrant & 1 ? __reduced.__cosine : __reduced.__sine;
  const __T __c = __quadrant & 1 ? __reduced.__sine : __reduced.__cosine;
  const __T __sine = __quadrant & 2 ? -__s : __s;
  const __T __cosine = (__quadrant + 1) & 2 ? -__c : __c;
  // The zeros: sinpi(n) has the sign of n, cospi(n + 1/2) is positive.
  const bool __whole = __a == __builtin_elementwise_trunc(__a);
  const __T __signed_sine = __whole ? (__T)0 * __x : __x < 0 ? -__sine : __sine;
  return {__a == __a ? __signed_sine : __a, __a == __a ? __cosine + (__T)0 : __a};
}
