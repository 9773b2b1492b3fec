// The elementwise functions, for the type C of the computation: float or std::int64_t.
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
  return op == UnaryOp::logical_not || op == UnaryOp::is_finite;
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
__device__ inline float normal_cdf(float x) { return 0.5f * (1.f + error_function(x * 0.70710678f)); }

template <BinaryOp op, class C>
__device__ inline C apply(C a, C b, C p) {
  if constexpr (op == BinaryOp::add) return a + p * b;
  if constexpr (op == BinaryOp::mul) return a * b;
  if constexpr (op == BinaryOp::div) return a / b;
  if constexpr (op == BinaryOp::pow) {
    if constexpr (std::is_same_v<C, float>)
      return power(a, b);
    else
      return whole_power(a, b);
  }
  if constexpr (op == BinaryOp::minimum) return smaller(a, b);
  if constexpr (op == BinaryOp::maximum) return larger(a, b);
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
  if constexpr (op == BinaryOp::gelu_backward) return a * (normal_cdf(b) + b * 0.39894228f * expf(-0.5f * b * b));
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
  if constexpr (op == UnaryOp::exp) return expf(a);
  if constexpr (op == UnaryOp::log) return logf(a);
  if constexpr (op == UnaryOp::sqrt) return sqrtf(a);
  if constexpr (op == UnaryOp::rsqrt) return 1.f / sqrtf(a);
  if constexpr (op == UnaryOp::sin) return sinf(a);
  if constexpr (op == UnaryOp::cos) return cosf(a);
  if constexpr (op == UnaryOp::tanh) return tanhf(a);
  if constexpr (op == UnaryOp::sigmoid) return 1.f / (1.f + expf(-a));
  if constexpr (op == UnaryOp::gelu) return a * normal_cdf(a);
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
  if constexpr (op == TernaryOp::larger_backward) return b < c ? C(0) : b == c ? a * 0.5f : a;
  if constexpr (op == TernaryOp::smaller_backward) return b > c ? C(0) : b == c ? a * 0.5f : a;
}

// Selects the operation at run time; it is the same for all threads.
template <class Op, int first = 0, class C, class... Rest>
__device__ inline C apply_any(Op op, C a, Rest... rest) {
  if constexpr (first < static_cast<int>(Op::count)) {
    constexpr Op candidate = static_cast<Op>(first);
    if (op == candidate) {
      if constexpr (std::is_same_v<C, float> || !gives_floating(candidate)) return apply<candidate, C>(a, rest...);
    }
    return apply_any<Op, first + 1>(op, a, rest...);
  } else {
    return C();
  }
}

}  // namespace reprise::kernels
