// Addition, multiplication, division, powers.
#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/factories.h"
#include "ops/broadcast.h"
#include "ops/masked.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::requires_gradient;
using autograd::save_if;
using autograd::SavedResult;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;
using ops::fit;
using ops::Shape;

Tensor add(const Tensor& a, const Tensor& b) {
  Tensor y = kernels::add(a, b);
  if (wants_gradient(a, b)) {
    record(y, "add", {a, b}, [a = Shape(a), b = Shape(b)](const Tensor& gradient, Node& node) {
      return Tensors{node.wants(0) ? fit(gradient, a) : Tensor(), node.wants(1) ? fit(gradient, b) : Tensor()};
    });
  }
  return y;
}

Tensor add(const Tensor& a, Scalar b) {
  Tensor y = kernels::add(a, b);
  if (wants_gradient(a)) record(y, "add", {a}, [](const Tensor& gradient, Node&) { return Tensors{gradient}; });
  return y;
}

Tensor sub(const Tensor& a, const Tensor& b) {
  Tensor y = kernels::sub(a, b);
  if (wants_gradient(a, b)) {
    record(y, "sub", {a, b}, [a = Shape(a), b = Shape(b)](const Tensor& gradient, Node& node) {
      return Tensors{node.wants(0) ? fit(gradient, a) : Tensor(), node.wants(1) ? neg(fit(gradient, b)) : Tensor()};
    });
  }
  return y;
}

Tensor sub(const Tensor& a, Scalar b) {
  Tensor y = kernels::sub(a, b);
  if (wants_gradient(a)) record(y, "sub", {a}, [](const Tensor& gradient, Node&) { return Tensors{gradient}; });
  return y;
}

Tensor sub(Scalar a, const Tensor& b) {
  Tensor y = kernels::sub(a, b);
  if (wants_gradient(b)) record(y, "sub", {b}, [](const Tensor& gradient, Node&) { return Tensors{neg(gradient)}; });
  return y;
}

Tensor mul(const Tensor& a, const Tensor& b) {
  Tensor y = kernels::mul(a, b);
  if (wants_gradient(a, b)) {
    record(y, "mul", {a, b},
           [shape_a = Shape(a), shape_b = Shape(b), a = save_if(requires_gradient(b), a, "mul"),
            b = save_if(requires_gradient(a), b, "mul")](const Tensor& gradient, Node& node) {
             return Tensors{node.wants(0) ? fit(mul(gradient, b.get()), shape_a) : Tensor(),
                            node.wants(1) ? fit(mul(gradient, a.get()), shape_b) : Tensor()};
           });
  }
  return y;
}

Tensor mul(const Tensor& a, Scalar b) {
  Tensor y = kernels::mul(a, b);
  if (wants_gradient(a)) {
    record(y, "mul", {a}, [b](const Tensor& gradient, Node&) { return Tensors{mul(gradient, b)}; });
  }
  return y;
}

Tensor div(const Tensor& a, const Tensor& b) {
  Tensor y = kernels::div(a, b);
  if (wants_gradient(a, b)) {
    record(y, "div", {a, b},
           [a = Shape(a), b = SavedTensor(b, "div"), kept = SavedResult(y, "div")](const Tensor& gradient, Node& node) {
             const Tensor scaled = div(gradient, b.get());
             return Tensors{node.wants(0) ? fit(scaled, a) : Tensor(),
                            node.wants(1) ? fit(neg(mul(scaled, kept.get(node))), Shape(b)) : Tensor()};
           });
  }
  return y;
}

Tensor div(const Tensor& a, Scalar b) {
  Tensor y = kernels::div(a, b);
  if (wants_gradient(a)) {
    record(y, "div", {a}, [b](const Tensor& gradient, Node&) { return Tensors{div(gradient, b)}; });
  }
  return y;
}

Tensor div(Scalar a, const Tensor& b) {
  Tensor y = kernels::div(a, b);
  if (wants_gradient(b)) {
    record(y, "div", {b},
           [b = SavedTensor(b, "div"), kept = SavedResult(y, "div")](const Tensor& gradient, Node& node) {
             return Tensors{neg(div(mul(gradient, kept.get(node)), b.get()))};
           });
  }
  return y;
}

Tensor pow(const Tensor& a, Scalar b) {
  Tensor y = kernels::pow(a, b);
  if (wants_gradient(a)) {
    record(y, "pow", {a}, [kept = SavedTensor(a, "pow"), b = b.value()](const Tensor& gradient, Node&) {
      const Tensor& a = kept;
      if (b == 0) return Tensors{kernels::zeros(gradient.sizes(), gradient.dtype())};
      if (b == 2) return Tensors{mul(gradient, mul(a, 2))};
      return Tensors{mul(gradient, mul(pow(a, b - 1), b))};
    });
  }
  return y;
}

Tensor pow(const Tensor& a, const Tensor& b) {
  Tensor y = kernels::pow(a, b);
  if (wants_gradient(a, b)) {
    record(y, "pow", {a, b},
           [kept_a = SavedTensor(a, "pow"), kept_b = SavedTensor(b, "pow"), kept = SavedResult(y, "pow")](
               const Tensor& gradient, Node& node) {
             const Tensor &a = kept_a, &b = kept_b;
             Tensors gradients(2);
             // Selected, since at a = 0 the other factors are infinite.
             if (node.wants(0))
               gradients[0] =
                   fit(ops::masked(mul(gradient, mul(pow(a, sub(b, 1)), b)), kernels::ne(b, 0), true), Shape(a));
             if (node.wants(1)) {
               const Tensor flat = kernels::logical_and(kernels::eq(a, 0), kernels::ge(b, 0));
               gradients[1] = fit(mul(gradient, ops::masked(mul(kept.get(node), log(a)), flat, false)), Shape(b));
             }
             return gradients;
           });
  }
  return y;
}

}  // namespace reprise
