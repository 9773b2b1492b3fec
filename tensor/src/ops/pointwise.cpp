// Unary functions; minimum, maximum, clamp and where.
#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "ops/broadcast.h"
#include "ops/gelu.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedResult;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;
using ops::fit;
using ops::Shape;

Tensor neg(const Tensor& x) {
  Tensor y = kernels::neg(x);
  if (wants_gradient(x)) record(y, "neg", {x}, [](const Tensor& gradient, Node&) { return Tensors{neg(gradient)}; });
  return y;
}

Tensor abs(const Tensor& x) {
  Tensor y = kernels::abs(x);
  if (wants_gradient(x)) {
    record(y, "abs", {x}, [x = SavedTensor(x, "abs")](const Tensor& gradient, Node&) {
      return Tensors{mul(gradient, kernels::sign(x))};
    });
  }
  return y;
}

Tensor exp(const Tensor& x) {
  Tensor y = kernels::exp(x);
  if (wants_gradient(x)) {
    record(y, "exp", {x}, [kept = SavedResult(y, "exp")](const Tensor& gradient, Node& node) {
      return Tensors{mul(gradient, kept.get(node))};
    });
  }
  return y;
}

Tensor log(const Tensor& x) {
  Tensor y = kernels::log(x);
  if (wants_gradient(x)) {
    record(y, "log", {x},
           [x = SavedTensor(x, "log")](const Tensor& gradient, Node&) { return Tensors{div(gradient, x.get())}; });
  }
  return y;
}

Tensor sqrt(const Tensor& x) {
  Tensor y = kernels::sqrt(x);
  if (wants_gradient(x)) {
    record(y, "sqrt", {x}, [kept = SavedResult(y, "sqrt")](const Tensor& gradient, Node& node) {
      return Tensors{div(mul(gradient, 0.5), kept.get(node))};
    });
  }
  return y;
}

Tensor sin(const Tensor& x) {
  Tensor y = kernels::sin(x);
  if (wants_gradient(x)) {
    record(y, "sin", {x},
           [x = SavedTensor(x, "sin")](const Tensor& gradient, Node&) { return Tensors{mul(gradient, cos(x))}; });
  }
  return y;
}

Tensor cos(const Tensor& x) {
  Tensor y = kernels::cos(x);
  if (wants_gradient(x)) {
    record(y, "cos", {x},
           [x = SavedTensor(x, "cos")](const Tensor& gradient, Node&) { return Tensors{neg(mul(gradient, sin(x)))}; });
  }
  return y;
}

Tensor tanh(const Tensor& x) {
  Tensor y = kernels::tanh(x);
  if (wants_gradient(x)) {
    record(y, "tanh", {x}, [kept = SavedResult(y, "tanh")](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{kernels::tanh_backward(gradient, y)};
      return Tensors{mul(gradient, sub(1, mul(y, y)))};
    });
  }
  return y;
}

Tensor sigmoid(const Tensor& x) {
  Tensor y = kernels::sigmoid(x);
  if (wants_gradient(x)) {
    record(y, "sigmoid", {x}, [kept = SavedResult(y, "sigmoid")](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{kernels::sigmoid_backward(gradient, y)};
      return Tensors{mul(gradient, mul(y, sub(1, y)))};
    });
  }
  return y;
}

Tensor relu(const Tensor& x) {
  Tensor y = kernels::relu(x);
  if (wants_gradient(x)) {
    record(y, "relu", {x}, [kept = SavedResult(y, "relu")](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{kernels::relu_backward(gradient, y)};
      return Tensors{mul(gradient, kernels::gt(y, 0))};
    });
  }
  return y;
}

namespace {

// gradient * gelu'(x), where gelu'(x) is the cumulative normal distribution plus x times its density.
Tensor gelu_gradient(const Tensor& gradient, const Tensor& x) {
  Tensor y = kernels::gelu_backward(gradient, x);
  if (wants_gradient(gradient, x)) {
    record(y, "gelu", {gradient, x},
           [gradient = SavedTensor(gradient, "gelu"), kept = SavedTensor(x, "gelu")](const Tensor& second, Node& node) {
             const Tensor& x = kept;
             const Tensor square = mul(x, x), density = mul(exp(mul(square, -0.5)), 0.3989422804014327);
             return Tensors{node.wants(0) ? gelu_gradient(second, x) : Tensor(),
                            node.wants(1) ? mul(mul(second, gradient.get()), mul(density, sub(2, square))) : Tensor()};
           });
  }
  return y;
}

}  // namespace

void ops::record_gelu(Tensor& y, const Tensor& x) {
  record(y, "gelu", {x},
         [x = SavedTensor(x, "gelu")](const Tensor& gradient, Node&) { return Tensors{gelu_gradient(gradient, x)}; });
}

Tensor gelu(const Tensor& x) {
  Tensor y = kernels::gelu(x);
  if (wants_gradient(x)) ops::record_gelu(y, x);
  return y;
}

namespace {

// The gradient goes to the selected argument, to the first one if both are equal.
Tensor record_choice(Tensor y, const char* name, const Tensor& a, const Tensor& b, kernels::BinaryOp takes_first) {
  if (wants_gradient(a, b)) {
    record(y, name, {a, b},
           [kept_a = SavedTensor(a, name), kept_b = SavedTensor(b, name), takes_first](const Tensor& gradient,
                                                                                       Node& node) {
             const Tensor &a = kept_a, &b = kept_b;
             const Tensor first = kernels::binary(takes_first, a, b);
             return Tensors{node.wants(0) ? fit(mul(gradient, first), Shape(a)) : Tensor(),
                            node.wants(1) ? fit(mul(gradient, kernels::logical_not(first)), Shape(b)) : Tensor()};
           });
  }
  return y;
}

}  // namespace

Tensor minimum(const Tensor& a, const Tensor& b) {
  return record_choice(kernels::minimum(a, b), "minimum", a, b, kernels::BinaryOp::le);
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  return record_choice(kernels::maximum(a, b), "maximum", a, b, kernels::BinaryOp::ge);
}

Tensor clamp(const Tensor& x, Scalar low, Scalar high) {
  Tensor y = kernels::clamp(x, low, high);
  if (wants_gradient(x)) {
    record(y, "clamp", {x}, [kept = SavedTensor(x, "clamp"), low, high](const Tensor& gradient, Node&) {
      const Tensor& x = kept;
      return Tensors{mul(gradient, kernels::logical_and(kernels::ge(x, low), kernels::le(x, high)))};
    });
  }
  return y;
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  Tensor y = kernels::where(condition, a, b);
  if (wants_gradient(a, b)) {
    record(y, "where", {a, b},
           [kept = SavedTensor(condition, "where"), a = Shape(a), b = Shape(b)](const Tensor& gradient, Node& node) {
             const Tensor& condition = kept;
             return Tensors{node.wants(0) ? fit(mul(gradient, condition), a) : Tensor(),
                            node.wants(1) ? fit(mul(gradient, kernels::logical_not(condition)), b) : Tensor()};
           });
  }
  return y;
}

}  // namespace reprise
