// Further elementwise functions, with gradients made of recorded operations.
#include <cmath>

#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/factories.h"
#include "ops/broadcast.h"
#include "ops/masked.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;
using kernels::BinaryOp;
using kernels::UnaryOp;
using ops::fit;
using ops::Shape;

namespace {

// `derivative` computes the derivative from the argument.
template <class Derivative>
Tensor recorded(UnaryOp op, const char* name, const Tensor& x, Derivative derivative) {
  Tensor y = kernels::unary(op, x);
  if (wants_gradient(x)) {
    record(y, name, {x}, [x = SavedTensor(x, name), derivative](const Tensor& gradient, Node&) {
      return Tensors{mul(gradient, derivative(x.get()))};
    });
  }
  return y;
}

// Steps: the gradient is zero everywhere.
Tensor flat(UnaryOp op, const char* name, const Tensor& x) {
  Tensor y = kernels::unary(op, x);
  if (wants_gradient(x)) {
    record(y, name, {x},
           [shape = Shape(x)](const Tensor&, Node&) { return Tensors{kernels::zeros(shape.sizes, shape.dtype)}; });
  }
  return y;
}

constexpr double ln2 = 0.6931471805599453, ln10 = 2.302585092994046;

}  // namespace

Tensor pow(Scalar a, const Tensor& b) {
  Tensor y = kernels::pow(a, b);
  if (wants_gradient(b)) {
    record(y, "pow", {b}, [b = SavedTensor(b, "pow"), a](const Tensor& gradient, Node&) {
      if (a.value() == 0) return Tensors{kernels::zeros(gradient.sizes(), gradient.dtype())};
      return Tensors{mul(mul(gradient, pow(a, b)), std::log(a.value()))};
    });
  }
  return y;
}

Tensor sign(const Tensor& x) { return flat(UnaryOp::sign, "sign", x); }
Tensor floor(const Tensor& x) { return flat(UnaryOp::floor, "floor", x); }
Tensor ceil(const Tensor& x) { return flat(UnaryOp::ceil, "ceil", x); }
Tensor round(const Tensor& x) { return flat(UnaryOp::round, "round", x); }
Tensor trunc(const Tensor& x) { return flat(UnaryOp::trunc, "trunc", x); }

Tensor square(const Tensor& x) {
  return recorded(UnaryOp::square, "square", x, [](const Tensor& x) { return mul(x, 2); });
}
Tensor reciprocal(const Tensor& x) {
  return recorded(UnaryOp::reciprocal, "reciprocal", x, [](const Tensor& x) { return neg(pow(x, -2)); });
}
Tensor rsqrt(const Tensor& x) {
  return recorded(UnaryOp::rsqrt, "rsqrt", x, [](const Tensor& x) { return mul(pow(x, -1.5), -0.5); });
}
Tensor log1p(const Tensor& x) {
  return recorded(UnaryOp::log1p, "log1p", x, [](const Tensor& x) { return div(1, add(x, 1)); });
}
Tensor expm1(const Tensor& x) {
  return recorded(UnaryOp::expm1, "expm1", x, [](const Tensor& x) { return exp(x); });
}
Tensor erf(const Tensor& x) {
  return recorded(UnaryOp::erf, "erf", x, [](const Tensor& x) { return mul(exp(neg(mul(x, x))), 1.1283791670955126); });
}
Tensor tan(const Tensor& x) {
  return recorded(UnaryOp::tan, "tan", x, [](const Tensor& x) { return add(square(tan(x)), 1); });
}
Tensor asin(const Tensor& x) {
  return recorded(UnaryOp::asin, "asin", x, [](const Tensor& x) { return rsqrt(sub(1, mul(x, x))); });
}
Tensor acos(const Tensor& x) {
  return recorded(UnaryOp::acos, "acos", x, [](const Tensor& x) { return neg(rsqrt(sub(1, mul(x, x)))); });
}
Tensor atan(const Tensor& x) {
  return recorded(UnaryOp::atan, "atan", x, [](const Tensor& x) { return div(1, add(mul(x, x), 1)); });
}
Tensor sinh(const Tensor& x) {
  return recorded(UnaryOp::sinh, "sinh", x, [](const Tensor& x) { return cosh(x); });
}
Tensor cosh(const Tensor& x) {
  return recorded(UnaryOp::cosh, "cosh", x, [](const Tensor& x) { return sinh(x); });
}
Tensor log2(const Tensor& x) { return mul(log(x), 1 / ln2); }
Tensor log10(const Tensor& x) { return mul(log(x), 1 / ln10); }
Tensor exp2(const Tensor& x) { return pow(2, x); }

Tensor isnan(const Tensor& x) { return kernels::unary(UnaryOp::is_nan, x); }
Tensor isfinite(const Tensor& x) { return kernels::is_finite(x); }
Tensor isinf(const Tensor& x) {
  return kernels::logical_not(kernels::logical_or(kernels::is_finite(x), kernels::unary(UnaryOp::is_nan, x)));
}
Tensor logical_xor(const Tensor& a, const Tensor& b) { return kernels::logical_xor(a, b); }

namespace {

// a - b * q, where q is a quotient of whole numbers, for which the gradients are 1 and -q.
template <class Quotient>
Tensor recorded_remainder(BinaryOp op, const char* name, const Tensor& a, const Tensor& b, Quotient quotient) {
  Tensor y = kernels::binary(op, a, b);
  if (wants_gradient(a, b)) {
    record(y, name, {a, b},
           [a = SavedTensor(a, name), b = SavedTensor(b, name), quotient](const Tensor& gradient, Node& node) {
             return Tensors{node.wants(0) ? fit(gradient, Shape(a)) : Tensor(),
                            node.wants(1) ? fit(neg(mul(gradient, quotient(a.get(), b.get()))), Shape(b)) : Tensor()};
           });
  }
  return y;
}

Tensor recorded_remainder(BinaryOp op, const char* name, const Tensor& a, Scalar b) {
  Tensor y = kernels::binary(op, a, b);
  if (wants_gradient(a)) record(y, name, {a}, [](const Tensor& gradient, Node&) { return Tensors{gradient}; });
  return y;
}

}  // namespace

Tensor remainder(const Tensor& a, const Tensor& b) {
  return recorded_remainder(BinaryOp::remainder, "remainder", a, b, [](const Tensor& a, const Tensor& b) {
    return kernels::unary(UnaryOp::floor, kernels::div(a, b));
  });
}
Tensor remainder(const Tensor& a, Scalar b) { return recorded_remainder(BinaryOp::remainder, "remainder", a, b); }
Tensor fmod(const Tensor& a, const Tensor& b) {
  return recorded_remainder(BinaryOp::fmod, "fmod", a, b, [](const Tensor& a, const Tensor& b) {
    return kernels::unary(UnaryOp::trunc, kernels::div(a, b));
  });
}
Tensor fmod(const Tensor& a, Scalar b) { return recorded_remainder(BinaryOp::fmod, "fmod", a, b); }
Tensor floor_divide(const Tensor& a, const Tensor& b) { return kernels::binary(BinaryOp::floor_divide, a, b); }
Tensor floor_divide(const Tensor& a, Scalar b) { return kernels::binary(BinaryOp::floor_divide, a, b); }

Tensor lerp(const Tensor& start, const Tensor& end, Scalar weight) { return add(start, mul(sub(end, start), weight)); }
Tensor addcmul(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value) {
  return add(x, mul(mul(a, b), value));
}
Tensor addcdiv(const Tensor& x, const Tensor& a, const Tensor& b, Scalar value) {
  return add(x, mul(div(a, b), value));
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A number as a tensor without dimensions, of a type that does not change that of `beside`.
Tensor number(Scalar value, const Tensor& beside) { return kernels::full({}, value, value.promoted(beside.dtype())); }

}  // namespace

Tensor clamp_min(const Tensor& x, Scalar low) { return maximum(x, number(low, x)); }
Tensor clamp_max(const Tensor& x, Scalar high) { return minimum(x, number(high, x)); }

Tensor where(const Tensor& condition, const Tensor& a, Scalar b) { return where(condition, a, number(b, a)); }
Tensor where(const Tensor& condition, Scalar a, const Tensor& b) { return where(condition, number(a, b), b); }

Tensor masked_fill(const Tensor& x, const Tensor& mask, Scalar value) {
  check(mask.dtype() == DType::boolean, "masked_fill: the mask is of ", mask.dtype(), " ", mask.sizes(),
        ", not of bool");
  check(broadcast(x.sizes(), mask.sizes(), "masked_fill") == x.sizes(), "masked_fill: a mask of ", mask.sizes(),
        " for ", x.sizes());
  return where(mask, kernels::full({}, value, x.dtype()), x);
}

Tensor gelu(const Tensor& x, const std::string& approximate) {
  check(approximate == "none" || approximate == "tanh", "gelu: approximate is \"none\" or \"tanh\", not \"",
        approximate, "\"");
  if (approximate == "none") return gelu(x);
  const Tensor inner = mul(add(x, mul(mul(mul(x, x), x), 0.044715)), 0.7978845608028654);
  return mul(mul(x, 0.5), add(tanh(inner), 1));
}

Tensor silu(const Tensor& x) { return mul(x, sigmoid(x)); }

Tensor softplus(const Tensor& x, double beta, double threshold) {
  const Tensor scaled = mul(x, beta);
  const Tensor soft = div(add(relu(scaled), log1p(exp(neg(abs(scaled))))), beta);
  return where(kernels::gt(scaled, threshold), x, soft);
}

Tensor logsigmoid(const Tensor& x) { return neg(softplus(neg(x), 1, infinity)); }
Tensor mish(const Tensor& x) { return mul(x, tanh(softplus(x))); }

Tensor elu(const Tensor& x, double alpha) {
  // The branch that is not taken must not overflow, since its gradient would be infinite times zero.
  const Tensor positive = kernels::gt(x, 0);
  return where(positive, x, mul(expm1(masked_fill(x, positive, 0)), alpha));
}
Tensor selu(const Tensor& x) { return mul(elu(x, 1.6732632423543772), 1.0507009873554805); }
Tensor celu(const Tensor& x, double alpha) {
  const Tensor positive = kernels::gt(x, 0);
  return where(positive, x, mul(expm1(div(masked_fill(x, positive, 0), alpha)), alpha));
}
Tensor leaky_relu(const Tensor& x, double negative_slope) {
  return where(kernels::gt(x, 0), x, mul(x, negative_slope));
}
Tensor prelu(const Tensor& x, const Tensor& weight) {
  check(weight.dim() == 1 && (weight.size(0) == 1 || (x.dim() >= 2 && weight.size(0) == x.size(1))),
        "prelu: a weight of ", weight.sizes(), " for ", x.sizes());
  Sizes sizes = Sizes::filled(x.dim(), 1);
  if (weight.size(0) > 1) sizes[1] = weight.size(0);
  return where(kernels::gt(x, 0), x, mul(x, weight.view(sizes)));
}
Tensor relu6(const Tensor& x) { return clamp(x, 0, 6); }
Tensor hardtanh(const Tensor& x, double min_val, double max_val) { return clamp(x, min_val, max_val); }
Tensor hardsigmoid(const Tensor& x) { return div(clamp(add(x, 3), 0, 6), 6); }
Tensor hardswish(const Tensor& x) { return mul(x, hardsigmoid(x)); }
Tensor softsign(const Tensor& x) { return div(x, add(abs(x), 1)); }
Tensor tanhshrink(const Tensor& x) { return sub(x, tanh(x)); }
Tensor threshold(const Tensor& x, double threshold, double value) { return where(kernels::gt(x, threshold), x, value); }
Tensor glu(const Tensor& x, std::int64_t dim) {
  const int along = wrap_dimension(dim, x.sizes(), "glu");
  check(x.dim() > 0 && x.size(along) % 2 == 0, "glu: dimension ", along, " of ", x.sizes(), " cannot be halved");
  const std::int64_t half = x.size(along) / 2;
  return mul(x.narrow(along, 0, half), sigmoid(x.narrow(along, half, half)));
}

}  // namespace reprise
