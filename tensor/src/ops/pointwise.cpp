// Functions of one element, and choices between two.
#include "autograd/record.h"
#include "ops/broadcast.h"
#include "raw/elementwise.h"

namespace reprise {

using autograd::KeptResult;
using autograd::Node;
using autograd::record;
using autograd::record_once;
using autograd::Tensors;
using autograd::wants_gradient;
using ops::fit;
using ops::Shape;

Tensor neg(const Tensor& x) {
  Tensor y = raw::neg(x);
  if (wants_gradient(x)) record(y, "neg", {x}, [](const Tensor& gradient, Node&) { return Tensors{neg(gradient)}; });
  return y;
}

Tensor abs(const Tensor& x) {
  Tensor y = raw::abs(x);
  if (wants_gradient(x)) {
    record(y, "abs", {x}, [x](const Tensor& gradient, Node&) { return Tensors{mul(gradient, raw::sign(x))}; });
  }
  return y;
}

Tensor exp(const Tensor& x) {
  Tensor y = raw::exp(x);
  if (wants_gradient(x)) {
    record(y, "exp", {x}, [kept = KeptResult(y)](const Tensor& gradient, Node& node) {
      return Tensors{mul(gradient, kept.get(node))};
    });
  }
  return y;
}

Tensor log(const Tensor& x) {
  Tensor y = raw::log(x);
  if (wants_gradient(x)) {
    record(y, "log", {x}, [x](const Tensor& gradient, Node&) { return Tensors{div(gradient, x)}; });
  }
  return y;
}

Tensor sqrt(const Tensor& x) {
  Tensor y = raw::sqrt(x);
  if (wants_gradient(x)) {
    record(y, "sqrt", {x}, [kept = KeptResult(y)](const Tensor& gradient, Node& node) {
      return Tensors{div(mul(gradient, 0.5), kept.get(node))};
    });
  }
  return y;
}

Tensor sin(const Tensor& x) {
  Tensor y = raw::sin(x);
  if (wants_gradient(x)) {
    record(y, "sin", {x}, [x](const Tensor& gradient, Node&) { return Tensors{mul(gradient, cos(x))}; });
  }
  return y;
}

Tensor cos(const Tensor& x) {
  Tensor y = raw::cos(x);
  if (wants_gradient(x)) {
    record(y, "cos", {x}, [x](const Tensor& gradient, Node&) { return Tensors{neg(mul(gradient, sin(x)))}; });
  }
  return y;
}

Tensor tanh(const Tensor& x) {
  Tensor y = raw::tanh(x);
  if (wants_gradient(x)) {
    record(y, "tanh", {x}, [kept = KeptResult(y)](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{raw::tanh_backward(gradient, y)};
      return Tensors{mul(gradient, sub(1, mul(y, y)))};
    });
  }
  return y;
}

Tensor sigmoid(const Tensor& x) {
  Tensor y = raw::sigmoid(x);
  if (wants_gradient(x)) {
    record(y, "sigmoid", {x}, [kept = KeptResult(y)](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{raw::sigmoid_backward(gradient, y)};
      return Tensors{mul(gradient, mul(y, sub(1, y)))};
    });
  }
  return y;
}

Tensor relu(const Tensor& x) {
  Tensor y = raw::relu(x);
  if (wants_gradient(x)) {
    record(y, "relu", {x}, [kept = KeptResult(y)](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{raw::relu_backward(gradient, y)};
      return Tensors{mul(gradient, raw::gt(y, 0))};
    });
  }
  return y;
}

Tensor gelu(const Tensor& x) {
  Tensor y = raw::gelu(x);
  if (wants_gradient(x)) {
    record_once(y, "gelu", {x}, [x](const Tensor& gradient, Node&) { return Tensors{raw::gelu_backward(gradient, x)}; });
  }
  return y;
}

namespace {

// The gradient goes to the argument that was chosen, to the first where both are equal.
Tensor record_choice(Tensor y, const char* name, const Tensor& a, const Tensor& b, raw::BinaryOp takes_first) {
  if (wants_gradient(a, b)) {
    record(y, name, {a, b}, [a, b, takes_first](const Tensor& gradient, Node& node) {
      const Tensor first = raw::binary(takes_first, a, b);
      return Tensors{node.wants(0) ? fit(mul(gradient, first), Shape(a)) : Tensor(),
                     node.wants(1) ? fit(mul(gradient, raw::logical_not(first)), Shape(b)) : Tensor()};
    });
  }
  return y;
}

}  // namespace

Tensor minimum(const Tensor& a, const Tensor& b) {
  return record_choice(raw::minimum(a, b), "minimum", a, b, raw::BinaryOp::le);
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  return record_choice(raw::maximum(a, b), "maximum", a, b, raw::BinaryOp::ge);
}

Tensor clamp(const Tensor& x, Scalar low, Scalar high) {
  Tensor y = raw::clamp(x, low, high);
  if (wants_gradient(x)) {
    record(y, "clamp", {x}, [x, low, high](const Tensor& gradient, Node&) {
      return Tensors{mul(gradient, raw::logical_and(raw::ge(x, low), raw::le(x, high)))};
    });
  }
  return y;
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  Tensor y = raw::where(condition, a, b);
  if (wants_gradient(a, b)) {
    record(y, "where", {a, b}, [condition, a = Shape(a), b = Shape(b)](const Tensor& gradient, Node& node) {
      return Tensors{node.wants(0) ? fit(mul(gradient, condition), a) : Tensor(),
                     node.wants(1) ? fit(mul(gradient, raw::logical_not(condition)), b) : Tensor()};
    });
  }
  return y;
}

}  // namespace reprise
