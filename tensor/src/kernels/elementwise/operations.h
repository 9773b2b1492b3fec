// The elementwise functions, for the type C of the computation: float, double or std::int64_t.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/device/error_function.h"
#include "kernels/elementwise/elementwise.h"

namespace reprise::kernels {

__host__ __device__ constexpr bool gives_bool(BinaryOp op) { return op >= BinaryOp::eq && op <= BinaryOp::logical_xor; }
__host__ __device__ constexpr bool gives_floating(BinaryOp op) {
  return op == BinaryOp::div || op > BinaryOp::logical_xor;
}
__host__ __device__ constexpr bool gives_bool(UnaryOp op) {
  return op == UnaryOp::logical_not || op == UnaryOp::is_finite || op == UnaryOp::is_nan;
}
__host__ __device__ constexpr bool gives_floating(TernaryOp op) { return op != TernaryOp::where; }
__host__ __device__ constexpr bool gives_floating(UnaryOp op) {
  return (op >= UnaryOp::exp && op < UnaryOp::logical_not) || op == UnaryOp::reciprocal;
}

__device__ inline std::int64_t whole_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent & 1 ? -1 : 1) : 0;
  std::int64_t result = 1;
  for (; exponent; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

// Functions of the type of their argument.
#define REPRISE_REAL_FUNCTION(name)                                     \
  __device__ inline float real_##name(float x) { return ::name##f(x); } \
  __device__ inline double real_##name(double x) { return ::name(x); }
REPRISE_REAL_FUNCTION(exp)
REPRISE_REAL_FUNCTION(log)
REPRISE_REAL_FUNCTION(sqrt)
REPRISE_REAL_FUNCTION(sin)
REPRISE_REAL_FUNCTION(cos)
REPRISE_REAL_FUNCTION(tan)
REPRISE_REAL_FUNCTION(asin)
REPRISE_REAL_FUNCTION(acos)
REPRISE_REAL_FUNCTION(atan)
REPRISE_REAL_FUNCTION(sinh)
REPRISE_REAL_FUNCTION(cosh)
REPRISE_REAL_FUNCTION(tanh)
REPRISE_REAL_FUNCTION(log1p)
REPRISE_REAL_FUNCTION(expm1)
REPRISE_REAL_FUNCTION(floor)
REPRISE_REAL_FUNCTION(ceil)
REPRISE_REAL_FUNCTION(rint)
REPRISE_REAL_FUNCTION(trunc)
#undef REPRISE_REAL_FUNCTION
__device__ inline float real_fmod(float a, float b) { return fmodf(a, b); }
__device__ inline double real_fmod(double a, double b) { return ::fmod(a, b); }
__device__ inline float real_erf(float x) { return error_function(x); }
__device__ inline double real_erf(double x) { return ::erf(x); }

// Integers are their own floor, ceiling and so on.
template <class C>
constexpr bool is_real = !std::is_same_v<C, std::int64_t>;

// The remainder with the sign of the divisor, and the quotient rounded down, as in Python.
template <class C>
__device__ inline C remainder_of(C a, C b) {
  if constexpr (is_real<C>) {
    const C rest = real_fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  } else {
    if (b == 0) return 0;
    const C rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
}
template <class C>
__device__ inline C floor_quotient(C a, C b) {
  if constexpr (is_real<C>) {
    return real_floor(a / b);
  } else {
    if (b == 0) return 0;
    const C quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }
}
template <class C>
__device__ inline C truncated_remainder(C a, C b) {
  if constexpr (is_real<C>) {
    return real_fmod(a, b);
  } else {
    return b == 0 ? 0 : a % b;
  }
}

__device__ inline double power(double a, double b) { return b == 2 ? a * a : ::pow(a, b); }
__device__ inline float power(float a, float b) {
  // Squares are the common case, and exact.
  if (b == 2.f) return a * a;
  return powf(a, b);
}

// NaN if either operand is.
template <class C>
__device__ inline C smaller(C a, C b) {
  return a < b || a != a ? a : b;
}
template <class C>
__device__ inline C larger(C a, C b) {
  return a > b || a != a ? a : b;
}

// The cumulative distribution function of the normal distribution.
template <class C>
__device__ inline C normal_cdf(C x) {
  return C(0.5) * (C(1) + real_erf(x * C(0.70710678118654752)));
}

template <BinaryOp op, class C>
__device__ inline C apply(C a, C b, C p) {
  if constexpr (op == BinaryOp::add) return a + p * b;
  if constexpr (op == BinaryOp::mul) return a * b;
  if constexpr (op == BinaryOp::div) return a / b;
  if constexpr (op == BinaryOp::pow) {
    if constexpr (is_real<C>)
      return power(a, b);
    else
      return whole_power(a, b);
  }
  if constexpr (op == BinaryOp::minimum) return smaller(a, b);
  if constexpr (op == BinaryOp::maximum) return larger(a, b);
  if constexpr (op == BinaryOp::remainder) return remainder_of(a, b);
  if constexpr (op == BinaryOp::fmod) return truncated_remainder(a, b);
  if constexpr (op == BinaryOp::floor_divide) return floor_quotient(a, b);
  if constexpr (op == BinaryOp::eq) return a == b;
  if constexpr (op == BinaryOp::ne) return a != b;
  if constexpr (op == BinaryOp::lt) return a < b;
  if constexpr (op == BinaryOp::le) return a <= b;
  if constexpr (op == BinaryOp::gt) return a > b;
  if constexpr (op == BinaryOp::ge) return a >= b;
  if constexpr (op == BinaryOp::same) return (a == b) | ((a != a) & (b != b));
  if constexpr (op == BinaryOp::logical_and) return (a != 0) & (b != 0);
  if constexpr (op == BinaryOp::logical_or) return (a != 0) | (b != 0);
  if constexpr (op == BinaryOp::logical_xor) return (a != 0) ^ (b != 0);
  if constexpr (op == BinaryOp::relu_backward) return b > 0 ? a : C(0);
  if constexpr (op == BinaryOp::tanh_backward) return a * (1 - b * b);
  if constexpr (op == BinaryOp::sigmoid_backward) return a * b * (1 - b);
  if constexpr (op == BinaryOp::at_least_backward) return b >= p ? a : C(0);
  if constexpr (op == BinaryOp::at_most_backward) return b <= p ? a : C(0);
  if constexpr (op == BinaryOp::gelu_backward)
    return a * (normal_cdf(b) + b * C(0.3989422804014327) * real_exp(C(-0.5) * b * b));
}

template <UnaryOp op, class C>
__device__ inline C apply(C a, C p, C q) {
  if constexpr (op == UnaryOp::neg) return -a;
  if constexpr (op == UnaryOp::abs) return a < 0 ? -a : a;
  if constexpr (op == UnaryOp::sign) return C(a > 0) - C(a < 0);
  if constexpr (op == UnaryOp::reciprocal) return 1 / a;
  if constexpr (op == UnaryOp::square) return a * a;
  if constexpr (op == UnaryOp::relu) return a <= 0 ? C(0) : a;
  if constexpr (op == UnaryOp::clamp) return smaller(larger(a, p), q);
  if constexpr (op == UnaryOp::subtract_from) return p - a;
  if constexpr (op == UnaryOp::exp) return real_exp(a);
  if constexpr (op == UnaryOp::log) return real_log(a);
  if constexpr (op == UnaryOp::sqrt) return real_sqrt(a);
  if constexpr (op == UnaryOp::rsqrt) return 1 / real_sqrt(a);
  if constexpr (op == UnaryOp::sin) return real_sin(a);
  if constexpr (op == UnaryOp::cos) return real_cos(a);
  if constexpr (op == UnaryOp::tanh) return real_tanh(a);
  if constexpr (op == UnaryOp::sigmoid) return 1 / (1 + real_exp(-a));
  if constexpr (op == UnaryOp::gelu) return a * normal_cdf(a);
  if constexpr (op == UnaryOp::tan) return real_tan(a);
  if constexpr (op == UnaryOp::asin) return real_asin(a);
  if constexpr (op == UnaryOp::acos) return real_acos(a);
  if constexpr (op == UnaryOp::atan) return real_atan(a);
  if constexpr (op == UnaryOp::sinh) return real_sinh(a);
  if constexpr (op == UnaryOp::cosh) return real_cosh(a);
  if constexpr (op == UnaryOp::log1p) return real_log1p(a);
  if constexpr (op == UnaryOp::expm1) return real_expm1(a);
  if constexpr (op == UnaryOp::erf) return real_erf(a);
  if constexpr (op >= UnaryOp::floor && op <= UnaryOp::trunc && !is_real<C>) return a;
  if constexpr (is_real<C>) {
    if constexpr (op == UnaryOp::floor) return real_floor(a);
    if constexpr (op == UnaryOp::ceil) return real_ceil(a);
    if constexpr (op == UnaryOp::round) return real_rint(a);
    if constexpr (op == UnaryOp::trunc) return real_trunc(a);
  }
  if constexpr (op == UnaryOp::is_nan) return a != a;
  if constexpr (op == UnaryOp::divide) return p / a;
  if constexpr (op == UnaryOp::power_of) return power(p, a);
  if constexpr (op == UnaryOp::logical_not) return a == 0;
  if constexpr (op == UnaryOp::is_finite) return a - a == 0;
}

template <TernaryOp op, class C>
__device__ inline C apply(C a, C b, C c, C p) {
  if constexpr (op == TernaryOp::where) return a != 0 ? b : c;
  if constexpr (op == TernaryOp::addcmul) return a + p * b * c;
  if constexpr (op == TernaryOp::addcdiv) return a + p * b / c;
  if constexpr (op == TernaryOp::lerp) return a + c * (b - a);
  if constexpr (op == TernaryOp::larger_backward) return b < c ? C(0) : b == c ? a * C(0.5) : a;
  if constexpr (op == TernaryOp::smaller_backward) return b > c ? C(0) : b == c ? a * C(0.5) : a;
}

// Selects the operation at run time; it is the same for all threads.
template <class Op, int first = 0, class C, class... Rest>
__device__ inline C apply_any(Op op, C a, Rest... rest) {
  if constexpr (first < static_cast<int>(Op::count)) {
    constexpr Op candidate = static_cast<Op>(first);
    if (op == candidate) {
      if constexpr (is_real<C> || !gives_floating(candidate)) return apply<candidate, C>(a, rest...);
    }
    return apply_any<Op, first + 1>(op, a, rest...);
  } else {
    return C();
  }
}

}  // namespace reprise::kernels
