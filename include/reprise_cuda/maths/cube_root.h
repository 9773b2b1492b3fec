// Cube roots: a polynomial for the mantissa, then Newton's method, whose last step uses an exact remainder.
#pragma once

#include <reprise_cuda/maths/exponential.h>
#include <reprise_cuda/maths/representation.h>

struct __reprise_cube_root_parts {
  double __root, __rest;  // of the mantissa, with its sign
  int __exponent;
};

__REPRISE_MATHS__ __reprise_cube_root_parts __reprise_cube_root(double __x) {
  __REPRISE_UNFUSED__
  const auto __split = __reprise_take_apart(__x);
  const int __third = (__split.__exponent + 3 * 1024) / 3 - 1024, __left = __split.__exponent - 3 * __third;
  const double __m = __builtin_fabs(__split.__fraction), __z = __m * (__left == 0 ? 1.0 : __left == 1 ? 2.0 : 4.0);
  double __y = -0.010102212336338642;
  __y = __builtin_fma(__y, __m, 0.08307903547963541);
  __y = __builtin_fma(__y, __m, -0.29395411808482369);
  __y = __builtin_fma(__y, __m, 0.71174238660259237);
  __y = __builtin_fma(__y, __m, 0.50924813354924148);
  __y *= __left == 0 ? 1.0 : __left == 1 ? 1.2599210498948732 : 1.5874010519681994;
  // Each step doubles the 16 correct bits: 32, then 64.
  __y -= (__y * __y * __y - __z) / (3 * __y * __y);
  const double __square = __y * __y, __square_rest = __builtin_fma(__y, __y, -__square);
  const double __excess = __builtin_fma(__square, __y, -__z) + __square_rest * __y;
  const double __step = -__excess / (3 * __square), __root = __y + __step;
  const double __sign = __x < 0 ? -1.0 : 1.0;
  return {__sign * __root, __sign * ((__y - __root) + __step), __third};
}

__REPRISE_MATHS__ double __reprise_cbrt(double __x) {
  const auto __p = __reprise_cube_root(__x);
  return __reprise_is_ordinary(__x) ? __p.__root * __reprise_power_of_two<double>(__p.__exponent) : __x;
}
__REPRISE_MATHS__ double __reprise_rcbrt(double __x) {
  __REPRISE_UNFUSED__
  const auto __p = __reprise_cube_root(__x);
  const double __r = 1 / __p.__root;
  const double __better = __builtin_fma(__r, __builtin_fma(-__p.__root, __r, 1.0) - __p.__rest * __r, __r);
  return __reprise_is_ordinary(__x) ? __better * __reprise_power_of_two<double>(-__p.__exponent) : 1 / __x;
}
