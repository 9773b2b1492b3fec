#include <reprise/ops.h>

#include <utility>

#include "autograd/record.h"
#include "autograd/unit_gradient.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduction/loss.h"
#include "kernels/tensor/factories.h"
#include "ops/masked.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;

namespace {

// The gradient as recorded operations, for differentiating twice.
Tensor differentiable_cross_entropy_gradient(const Tensor& gradient, const Tensor& logits, const Tensor& classes,
                                             const Tensor& share, std::int64_t ignored) {
  const std::int64_t rows = logits.size(0), columns = logits.size(1);
  const Tensor own = classes.reshape({rows, 1});
  const Tensor chosen = kernels::eq(kernels::arange(0, columns), own);
  const Tensor scale = share.defined() ? mul(gradient.to(DType::f32), share) : gradient.to(DType::f32);
  const Tensor all = mul(sub(softmax(logits.to(DType::f32), 1), chosen), scale);
  return ops::masked(all, kernels::ne(own, ignored), true).to(logits.dtype());
}

Tensor squared_error_gradient(const Tensor& gradient, const Tensor& x, const Tensor& target, Reduction reduction) {
  if (!is_grad_enabled()) return kernels::squared_error_backward(gradient, x, target, reduction);
  const double factor = reduction == Reduction::mean ? 2 / static_cast<double>(x.numel()) : 2;
  return mul(mul(sub(x, target).to(DType::f32), factor), gradient.to(DType::f32)).to(x.dtype());
}

}  // namespace

namespace {

// The classes in the last dimension, as rows.
Tensor class_rows(const Tensor& logits) {
  if (logits.dim() <= 2) return logits.reshape({-1, logits.size(-1)});
  Sizes order{0};
  for (int i = 2; i < logits.dim(); ++i) order.push_back(i);
  order.push_back(1);
  return logits.permute(order).reshape({-1, logits.size(1)});
}

void check_classes(const Tensor& logits, const Tensor& classes) {
  Sizes expected = logits.sizes();
  if (!expected.empty()) expected.erase(logits.dim() == 1 ? 0 : 1);
  check(logits.dim() >= 1 && logits.size(logits.dim() == 1 ? 0 : 1) > 0 && classes.sizes() == expected,
        "cross_entropy: expects logits [rows, classes, ...] and classes [rows, ...], not ", logits.sizes(), " and ",
        classes.sizes());
}

}  // namespace

Tensor cross_entropy(const Tensor& logits, const Tensor& classes, Reduction reduction, std::int64_t ignore_index) {
  if (reduction == Reduction::none || logits.dtype() == DType::f64) {
    CrossEntropyOptions options;
    options.reduction = reduction;
    options.ignore_index = ignore_index;
    return cross_entropy(logits, classes, options);
  }
  check_classes(logits, classes);
  if (logits.dim() != 2) return cross_entropy(class_rows(logits), classes.reshape({-1}), reduction, ignore_index);
  const kernels::CrossEntropyRule rule{reduction, ignore_index};
  kernels::CrossEntropy made = kernels::cross_entropy(logits, classes, rule, wants_gradient(logits));
  if (!wants_gradient(logits)) return made.loss;
  Tensor loss = std::exchange(made.loss, Tensor());
  record(loss, "cross_entropy", {logits},
         [logits = SavedTensor(logits, "cross_entropy"), classes = SavedTensor(classes, "cross_entropy"),
          forward = made, rule](const Tensor& gradient, Node&) mutable {
           if (is_grad_enabled())
             return Tensors{
                 differentiable_cross_entropy_gradient(gradient, logits, classes, forward.share, rule.ignore_index)};
           // Returned only once, so its receiver may write to it.
           if (autograd::is_unit_gradient(gradient) && forward.gradient.defined())
             return Tensors{std::exchange(forward.gradient, Tensor())};
           return Tensors{kernels::cross_entropy_backward(gradient, logits, classes, forward, rule)};
         });
  autograd::gradient_edge(loss).node->set_knows_unit_gradient();
  return loss;
}

namespace {

// The common case: the target needs no gradient and backward starts with 1. Computes the gradient together with the
// loss.
Tensor mse_loss_of(const Tensor& x, const Tensor& target, Reduction reduction) {
  kernels::LossAndGradient made = kernels::squared_error_and_gradient(x, target, reduction);
  record(made.loss, "mse_loss", {x},
         [x = SavedTensor(x, "mse_loss"), target = SavedTensor(target, "mse_loss"), reduction, ready = made.gradient](
             const Tensor& gradient, Node&) mutable {
           // Returned only once, so its receiver may write to it.
           if (autograd::is_unit_gradient(gradient) && ready.defined()) return Tensors{std::exchange(ready, Tensor())};
           return Tensors{squared_error_gradient(gradient, x, target, reduction)};
         });
  autograd::gradient_edge(made.loss).node->set_knows_unit_gradient();
  return made.loss;
}

}  // namespace

Tensor mse_loss(const Tensor& x, const Tensor& target, Reduction reduction) {
  check(x.sizes() == target.sizes(), "mse_loss: a target of ", target.sizes(), " for ", x.sizes());
  if (reduction == Reduction::none || x.dtype() == DType::f64) {
    const Tensor distance = sub(x, target), squares = mul(distance, distance);
    return reduction == Reduction::none ? squares : reduction == Reduction::sum ? sum(squares) : mean(squares);
  }
  if (wants_gradient(x) && !wants_gradient(target)) return mse_loss_of(x, target, reduction);
  Tensor loss = kernels::squared_error(x, target, reduction);
  if (wants_gradient(x, target)) {
    record(loss, "mse_loss", {x, target},
           [kept = SavedTensor(x, "mse_loss"), kept_target = SavedTensor(target, "mse_loss"), reduction](
               const Tensor& gradient, Node& node) {
             const Tensor &x = kept, &target = kept_target;
             const Tensor of_x = squared_error_gradient(gradient, x, target, reduction);
             return Tensors{node.wants(0) ? of_x : Tensor(), node.wants(1) ? neg(of_x).to(target.dtype()) : Tensor()};
           });
  }
  return loss;
}

}  // namespace reprise
