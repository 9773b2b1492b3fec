// Elementwise operations with broadcasting. Each is one launch on the current stream.
#pragma once

#include <reprise/scalar.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

// `p` is a parameter of some operations, otherwise 0. In backward operations `a` is the gradient of the result.
enum class BinaryOp {
  add,  // a + p * b
  mul,
  div,
  pow,
  minimum,
  maximum,
  remainder,  // with the sign of b
  fmod,       // with the sign of a
  floor_divide,
  eq,  // from here the result is bool
  ne,
  lt,
  le,
  gt,
  ge,
  same,  // equal, or both NaN
  logical_and,
  logical_or,
  logical_xor,
  relu_backward,      // floating-point from here; b is the argument of relu or its result
  tanh_backward,      // b is the result
  sigmoid_backward,   // b is the result
  gelu_backward,      // b is the argument
  at_least_backward,  // a where b >= p, otherwise 0; for clamp
  at_most_backward,   // a where b <= p, otherwise 0
  count
};

enum class UnaryOp {
  neg,
  abs,
  sign,
  reciprocal,
  square,
  relu,
  clamp,          // between p and q
  subtract_from,  // p - a
  floor,
  ceil,
  round,  // to even
  trunc,
  exp,  // from here the result is floating-point, also for integers
  log,
  sqrt,
  rsqrt,
  sin,
  cos,
  tanh,
  sigmoid,
  gelu,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  log1p,
  expm1,
  erf,
  divide,       // p / a
  power_of,     // p to the power of a
  logical_not,  // bool
  is_finite,
  is_nan,
  count
};

enum class TernaryOp {
  where,            // b where a is not zero, otherwise c
  addcmul,          // a + p * b * c
  addcdiv,          // a + p * b / c
  lerp,             // a + c * (b - a)
  larger_backward,  // a if b > c, half of it if they are equal, otherwise 0; the first type
  smaller_backward,
  count
};

// The result type of an operation on both. A tensor without dimensions counts like a number: it only contributes its
// kind (bool, integer, floating) beside one that has dimensions.
DType promoted_type(const Tensor& a, const Tensor& b);

// The result has the promoted type. The _out forms write to a tensor of the broadcast sizes, with any strides and type;
// `out` may be an operand.
Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, double p = 0);
Tensor binary(BinaryOp op, const Tensor& a, Scalar b, double p = 0);
void binary_out(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, double p = 0);
void binary_out(BinaryOp op, const Tensor& out, const Tensor& a, Scalar b, double p = 0);
Tensor unary(UnaryOp op, const Tensor& a, Scalar p = 0, Scalar q = 0);
void unary_out(UnaryOp op, const Tensor& out, const Tensor& a, Scalar p = 0, Scalar q = 0);
Tensor ternary(TernaryOp op, const Tensor& a, const Tensor& b, const Tensor& c, double p = 0);
void ternary_out(TernaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c, double p = 0);

// `B` is a Tensor or a Scalar.
template <class B>
Tensor add(const Tensor& a, const B& b, double alpha = 1) {
  return binary(BinaryOp::add, a, b, alpha);
}
template <class B>
Tensor sub(const Tensor& a, const B& b) {
  return binary(BinaryOp::add, a, b, -1);
}
template <class B>
Tensor mul(const Tensor& a, const B& b) {
  return binary(BinaryOp::mul, a, b);
}
template <class B>
Tensor div(const Tensor& a, const B& b) {
  return binary(BinaryOp::div, a, b);
}
template <class B>
Tensor pow(const Tensor& a, const B& b) {
  return binary(BinaryOp::pow, a, b);
}
template <class B>
Tensor minimum(const Tensor& a, const B& b) {
  return binary(BinaryOp::minimum, a, b);
}
template <class B>
Tensor maximum(const Tensor& a, const B& b) {
  return binary(BinaryOp::maximum, a, b);
}
template <class B>
Tensor eq(const Tensor& a, const B& b) {
  return binary(BinaryOp::eq, a, b);
}
template <class B>
Tensor ne(const Tensor& a, const B& b) {
  return binary(BinaryOp::ne, a, b);
}
template <class B>
Tensor lt(const Tensor& a, const B& b) {
  return binary(BinaryOp::lt, a, b);
}
template <class B>
Tensor le(const Tensor& a, const B& b) {
  return binary(BinaryOp::le, a, b);
}
template <class B>
Tensor gt(const Tensor& a, const B& b) {
  return binary(BinaryOp::gt, a, b);
}
template <class B>
Tensor ge(const Tensor& a, const B& b) {
  return binary(BinaryOp::ge, a, b);
}
inline Tensor logical_and(const Tensor& a, const Tensor& b) { return binary(BinaryOp::logical_and, a, b); }
inline Tensor logical_or(const Tensor& a, const Tensor& b) { return binary(BinaryOp::logical_or, a, b); }
inline Tensor logical_xor(const Tensor& a, const Tensor& b) { return binary(BinaryOp::logical_xor, a, b); }

inline Tensor relu_backward(const Tensor& grad, const Tensor& x) { return binary(BinaryOp::relu_backward, grad, x); }
inline Tensor tanh_backward(const Tensor& grad, const Tensor& result) {
  return binary(BinaryOp::tanh_backward, grad, result);
}
inline Tensor sigmoid_backward(const Tensor& grad, const Tensor& result) {
  return binary(BinaryOp::sigmoid_backward, grad, result);
}
inline Tensor gelu_backward(const Tensor& grad, const Tensor& x) { return binary(BinaryOp::gelu_backward, grad, x); }

inline Tensor neg(const Tensor& a) { return unary(UnaryOp::neg, a); }
inline Tensor abs(const Tensor& a) { return unary(UnaryOp::abs, a); }
inline Tensor sign(const Tensor& a) { return unary(UnaryOp::sign, a); }
inline Tensor reciprocal(const Tensor& a) { return unary(UnaryOp::reciprocal, a); }
inline Tensor square(const Tensor& a) { return unary(UnaryOp::square, a); }
inline Tensor relu(const Tensor& a) { return unary(UnaryOp::relu, a); }
inline Tensor clamp(const Tensor& a, Scalar low, Scalar high) { return unary(UnaryOp::clamp, a, low, high); }
inline Tensor exp(const Tensor& a) { return unary(UnaryOp::exp, a); }
inline Tensor log(const Tensor& a) { return unary(UnaryOp::log, a); }
inline Tensor sqrt(const Tensor& a) { return unary(UnaryOp::sqrt, a); }
inline Tensor rsqrt(const Tensor& a) { return unary(UnaryOp::rsqrt, a); }
inline Tensor sin(const Tensor& a) { return unary(UnaryOp::sin, a); }
inline Tensor cos(const Tensor& a) { return unary(UnaryOp::cos, a); }
inline Tensor tanh(const Tensor& a) { return unary(UnaryOp::tanh, a); }
inline Tensor sigmoid(const Tensor& a) { return unary(UnaryOp::sigmoid, a); }
inline Tensor gelu(const Tensor& a) { return unary(UnaryOp::gelu, a); }
inline Tensor logical_not(const Tensor& a) { return unary(UnaryOp::logical_not, a); }
inline Tensor is_finite(const Tensor& a) { return unary(UnaryOp::is_finite, a); }
// With the number on the left: s - a, s / a, s to the power of a.
inline Tensor sub(Scalar s, const Tensor& a) { return unary(UnaryOp::subtract_from, a, s); }
inline Tensor div(Scalar s, const Tensor& a) { return unary(UnaryOp::divide, a, s); }
inline Tensor pow(Scalar s, const Tensor& a) { return unary(UnaryOp::power_of, a, s); }

inline Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  return ternary(TernaryOp::where, condition, a, b);
}

// In place: `a` keeps its sizes and type.
template <class B>
void add_(const Tensor& a, const B& b, double alpha = 1) {
  binary_out(BinaryOp::add, a, a, b, alpha);
}
template <class B>
void sub_(const Tensor& a, const B& b) {
  binary_out(BinaryOp::add, a, a, b, -1);
}
template <class B>
void mul_(const Tensor& a, const B& b) {
  binary_out(BinaryOp::mul, a, a, b);
}
template <class B>
void div_(const Tensor& a, const B& b) {
  binary_out(BinaryOp::div, a, a, b);
}
inline void addcmul_(const Tensor& a, const Tensor& b, const Tensor& c, double value = 1) {
  ternary_out(TernaryOp::addcmul, a, a, b, c, value);
}
inline void addcdiv_(const Tensor& a, const Tensor& b, const Tensor& c, double value = 1) {
  ternary_out(TernaryOp::addcdiv, a, a, b, c, value);
}
inline void lerp_(const Tensor& a, const Tensor& b, const Tensor& weight) {
  ternary_out(TernaryOp::lerp, a, a, b, weight);
}

}  // namespace reprise::kernels
