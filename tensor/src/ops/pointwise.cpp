// Unary functions; minimum, maximum, clamp and where.
#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "ops/broadcast.h"
#include "ops/gelu.h"
#include "ops/masked.h"

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
      return Tensors{ops::masked(gradient, kernels::gt(y, 0), true)};
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

// The gradient of the larger (or smaller) of `one` and `other` with respect to `one`. Equal operands get half each.
Tensor gradient_of_choice(const Tensor& gradient, const Tensor& one, const Tensor& other, bool largest) {
  using kernels::TernaryOp;
  if (!is_grad_enabled() && is_floating(gradient.dtype())) {
    const TernaryOp op = largest ? TernaryOp::larger_backward : TernaryOp::smaller_backward;
    return fit(kernels::ternary(op, gradient, one, other), Shape(one));
  }
  const Tensor shared = where(kernels::eq(one, other), mul(gradient, 0.5), gradient);
  const Tensor lost = largest ? kernels::lt(one, other) : kernels::gt(one, other);
  return fit(ops::masked(shared, lost, false), Shape(one));
}

Tensor record_choice(Tensor y, const char* name, const Tensor& a, const Tensor& b, bool largest) {
  if (wants_gradient(a, b)) {
    record(y, name, {a, b},
           [kept_a = SavedTensor(a, name), kept_b = SavedTensor(b, name), largest](const Tensor& gradient, Node& node) {
             const Tensor &a = kept_a, &b = kept_b;
             return Tensors{node.wants(0) ? gradient_of_choice(gradient, a, b, largest) : Tensor(),
                            node.wants(1) ? gradient_of_choice(gradient, b, a, largest) : Tensor()};
           });
  }
  return y;
}

}  // namespace

Tensor minimum(const Tensor& a, const Tensor& b) {
  return record_choice(kernels::minimum(a, b), "minimum", a, b, false);
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  return record_choice(kernels::maximum(a, b), "maximum", a, b, true);
}

Tensor clamp(const Tensor& x, Scalar low, Scalar high) {
  Tensor y = kernels::clamp(x, low, high);
  if (wants_gradient(x)) {
    record(y, "clamp", {x}, [kept = SavedTensor(x, "clamp"), low, high](const Tensor& gradient, Node&) {
      const Tensor& x = kept;
      if (!is_grad_enabled() && gradient.dtype() == x.dtype()) {
        const Tensor above = kernels::binary(kernels::BinaryOp::at_least_backward, gradient, x, low.value());
        return Tensors{kernels::binary(kernels::BinaryOp::at_most_backward, above, x, high.value())};
      }
      return Tensors{ops::masked(gradient, kernels::logical_and(kernels::ge(x, low), kernels::le(x, high)), true)};
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
             return Tensors{node.wants(0) ? fit(ops::masked(gradient, condition, true), a) : Tensor(),
                            node.wants(1) ? fit(ops::masked(gradient, condition, false), b) : Tensor()};
           });
  }
  return y;
}

}  // namespace reprise
