// Reciprocal square roots and lengths of vectors. Floats are computed in double, where squares neither overflow nor
// underflow. Doubles are scaled by the power of two of the largest, and the sum of squares carries its rounding errors.
#pragma once

#include <reprise_cuda/maths/representation.h>

__REPRISE_MATHS__ float __reprise_rsqrt(float __x) { return 1.0f / __builtin_sqrtf(__x); }
// One Newton step corrects the errors of root and quotient. It must leave zeros and infinities alone.
__REPRISE_MATHS__ double __reprise_rsqrt(double __x) {
  const double __root = __builtin_sqrt(__x), __y = 1.0 / __root;
  const double __root_rest = __builtin_fma(-__root, __root, __x) / (2.0 * __root);
  const double __error = __builtin_fma(-__root, __y, 1.0) - __root_rest * __y;
  const double __better = __builtin_fma(__error, __y, __y);
  return __better == __better ? __better : __y;
}

template <class... __Float>
__REPRISE_MATHS__ double __reprise_square_sum(__Float... __x) {
  return (((double)__x * (double)__x) + ...);
}
template <class... __Float>
__REPRISE_MATHS__ bool __reprise_any_infinite(__Float... __x) {
  return (__builtin_isinf(__x) || ...);
}
template <class... __Float>
__REPRISE_MATHS__ float __reprise_length_f(__Float... __x) {
  const float __length = (float)__builtin_sqrt(__reprise_square_sum(__x...));
  return __reprise_any_infinite(__x...) ? __builtin_inff() : __length;
}
template <class... __Float>
__REPRISE_MATHS__ float __reprise_reciprocal_length_f(__Float... __x) {
  const float __reciprocal = (float)(1.0 / __builtin_sqrt(__reprise_square_sum(__x...)));
  return __reprise_any_infinite(__x...) ? 0.0f : __reciprocal;
}

// A sum of squares as a number and its rounding error.
struct __reprise_squares {
  double __sum = 0, __rest = 0;
  __REPRISE_MATHS_MEMBER__ void __add(double __x) {
    __REPRISE_UNFUSED__
    const double __square = __x * __x, __square_rest = __builtin_fma(__x, __x, -__square);
    const double __total = __sum + __square, __of_square = __total - __sum;
    __rest += ((__sum - (__total - __of_square)) + (__square - __of_square)) + __square_rest;
    __sum = __total;
  }
  __REPRISE_MATHS_MEMBER__ double __root() const {
    const double __y = __builtin_sqrt(__sum);
    return __sum == 0 ? __y : __y + (__builtin_fma(-__y, __y, __sum) + __rest) / (2 * __y);
  }
  __REPRISE_MATHS_MEMBER__ double __reciprocal_root() const {
    const double __y = __builtin_sqrt(__sum), __correction = (__builtin_fma(-__y, __y, __sum) + __rest) / (2 * __y);
    const double __z = 1 / __y;
    return __z + __z * (__builtin_fma(-__y, __z, 1.0) - __correction * __z);
  }
};

// The exponent to divide by, so that the largest element is about one.
__REPRISE_MATHS__ int __reprise_scale_of(double __largest) {
  return __reprise_is_ordinary(__largest) ? __reprise_take_apart(__largest).__exponent : 0;
}
template <class... __Double>
__REPRISE_MATHS__ double __reprise_length(__Double... __x) {
  double __largest = 0;
  ((__largest = __builtin_fmax(__largest, __builtin_fabs(__x))), ...);
  if (__reprise_any_infinite(__x...)) return __builtin_inf();
  const int __scale = __reprise_scale_of(__largest);
  __reprise_squares __squares;
  (__squares.__add(__reprise_scale((double)__x, -__scale)), ...);
  return __reprise_scale(__squares.__root(), __scale);
}
template <class... __Double>
__REPRISE_MATHS__ double __reprise_reciprocal_length(__Double... __x) {
  double __largest = 0;
  ((__largest = __builtin_fmax(__largest, __builtin_fabs(__x))), ...);
  if (__reprise_any_infinite(__x...)) return 0.0;
  const int __scale = __reprise_scale_of(__largest);
  __reprise_squares __squares;
  (__squares.__add(__reprise_scale((double)__x, -__scale)), ...);
  if (__squares.__sum == 0) return __builtin_inf();
  return __reprise_scale(__squares.__reciprocal_root(), -__scale);
}

__REPRISE_MATHS__ float __reprise_length_of(int __n, const float* __x) {
  double __sum = 0;
  bool __infinite = false;
  for (int __i = 0; __i < __n; ++__i) {
    __sum += (double)__x[__i] * __x[__i];
    __infinite = __infinite || __builtin_isinf(__x[__i]);
  }
  return __infinite ? __builtin_inff() : (float)__builtin_sqrt(__sum);
}
__REPRISE_MATHS__ float __reprise_reciprocal_length_of(int __n, const float* __x) {
  double __sum = 0;
  bool __infinite = false;
  for (int __i = 0; __i < __n; ++__i) {
    __sum += (double)__x[__i] * __x[__i];
    __infinite = __infinite || __builtin_isinf(__x[__i]);
  }
  return __infinite ? 0.0f : (float)(1.0 / __builtin_sqrt(__sum));
}
__REPRISE_MATHS__ __reprise_squares __reprise_squares_of(int __n, const double* __x, int* __scale, bool* __infinite) {
  double __largest = 0;
  *__infinite = false;
  for (int __i = 0; __i < __n; ++__i) {
    __largest = __builtin_fmax(__largest, __builtin_fabs(__x[__i]));
    *__infinite = *__infinite || __builtin_isinf(__x[__i]);
  }
  *__scale = __reprise_scale_of(__largest);
  __reprise_squares __squares;
  for (int __i = 0; __i < __n; ++__i) __squares.__add(__reprise_scale(__x[__i], -*__scale));
  return __squares;
}
__REPRISE_MATHS__ double __reprise_length_of(int __n, const double* __x) {
  int __scale;
  bool __infinite;
  const __reprise_squares __squares = __reprise_squares_of(__n, __x, &__scale, &__infinite);
  return __infinite ? __builtin_inf() : __reprise_scale(__squares.__root(), __scale);
}
__REPRISE_MATHS__ double __reprise_reciprocal_length_of(int __n, const double* __x) {
  int __scale;
  bool __infinite;
  const __reprise_squares __squares = __reprise_squares_of(__n, __x, &__scale, &__infinite);
  if (__infinite) return 0.0;
  return __squares.__sum == 0 ? __builtin_inf() : __reprise_scale(__squares.__reciprocal_root(), -__scale);
}
