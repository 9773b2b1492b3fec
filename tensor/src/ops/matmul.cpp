// Products of matrices and of batches of matrices.
#include "kernels/matrix/matmul.h"

#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/matrix/linear.h"
#include "ops/autocast.h"
#include "ops/broadcast.h"
#include "ops/gelu.h"
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

namespace {

// Merges all dimensions but the last.
Tensor rows_of(const Tensor& x) { return x.dim() == 2 ? x : x.reshape({x.numel() / x.size(-1), x.size(-1)}); }

// For a batch times one matrix, which is a product of one larger matrix.
Tensor gradient_of_matrix(const Tensor& a, const Tensor& gradient) { return matmul(rows_of(a).t(), rows_of(gradient)); }

Tensor gradient_of_first(const ops::Shape& a, const Tensor& b, const Tensor& gradient) {
  return ops::fit(matmul(gradient, b.transpose(-2, -1)), a);
}

Tensor gradient_of_second(const Tensor& a, const ops::Shape& b, const Tensor& gradient) {
  if (b.sizes.size() == 2) return gradient_of_matrix(a, gradient).to(b.dtype);
  return ops::fit(matmul(a.transpose(-2, -1), gradient), b);
}

}  // namespace

Tensor matmul(const Tensor& first, const Tensor& second) {
  const Tensor a = ops::autocast(first), b = ops::autocast(second);
  if (!wants_gradient(a, b)) return kernels::matmul(a, b);
  if (a.dim() == 1) return matmul(a.unsqueeze(0), b).squeeze(b.dim() == 1 ? 0 : -2);
  if (b.dim() == 1) return matmul(a, b.unsqueeze(1)).squeeze(-1);
  Tensor y = kernels::matmul(a, b);
  record(y, "matmul", {a, b},
         [shape_a = ops::Shape(a), shape_b = ops::Shape(b), a = save_if(requires_gradient(b), a, "matmul"),
          b = save_if(requires_gradient(a), b, "matmul")](const Tensor& gradient, Node& node) {
           return Tensors{node.wants(0) ? gradient_of_first(shape_a, b, gradient) : Tensor(),
                          node.wants(1) ? gradient_of_second(a, shape_b, gradient) : Tensor()};
         });
  return y;
}

namespace {

// Uses unrecorded kernels unless the gradient itself is differentiated.
Tensors gradients_of_linear(const Tensor& gradient, const SavedTensor& kept_x, const SavedTensor& kept_weight,
                            const kernels::LinearWants& wants) {
  const Tensor& x = wants.weight ? kept_x.get() : kept_x.unchecked();
  const Tensor& weight = wants.x ? kept_weight.get() : kept_weight.unchecked();
  if (!is_grad_enabled()) {
    const kernels::LinearGradients made = kernels::linear_backward(gradient, x, weight, wants);
    return {made.x, made.weight, made.bias};
  }
  Tensors gradients(3);
  if (wants.x) gradients[0] = matmul(gradient, weight);
  if (wants.weight) gradients[1] = matmul(rows_of(gradient).t(), rows_of(x));
  if (wants.bias) gradients[2] = sum(rows_of(gradient), {0});
  return gradients;
}

void record_linear(Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  record(y, "linear", {x, weight, bias},
         [x = SavedTensor(x, "linear"), weight = SavedTensor(weight, "linear")](const Tensor& gradient, Node& node) {
           return gradients_of_linear(gradient, x, weight, {node.wants(0), node.wants(1), node.wants(2)});
         });
}

}  // namespace

namespace {

// Calls `compute` again with the arguments in the type of an Autocast, if there is one.
template <class Compute>
Tensor in_sixteen_bits(const Tensor& x, const Tensor& weight, const Tensor& bias, Compute compute) {
  return compute(ops::autocast(x), ops::autocast(weight), ops::autocast(bias));
}

bool casts(const Tensor& x, const Tensor& weight) {
  const std::optional<DType> dtype = autocast_dtype();
  return dtype && x.dtype() != DType::f64 && (x.dtype() != *dtype || weight.dtype() != *dtype);
}

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (casts(x, weight)) return in_sixteen_bits(x, weight, bias, linear);
  if (x.dtype() == DType::f64) {
    const Tensor y = matmul(x, weight.t());
    return bias.defined() ? add(y, bias) : y;
  }
  Tensor y = kernels::linear(x, weight, bias);
  if (wants_gradient(x, weight, bias)) record_linear(y, x, weight, bias);
  return y;
}

Tensor linear_gelu(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (casts(x, weight)) return in_sixteen_bits(x, weight, bias, linear_gelu);
  if (x.dtype() == DType::f64) return gelu(linear(x, weight, bias));
  if (!wants_gradient(x, weight, bias)) return kernels::linear(x, weight, bias, kernels::Activation::gelu);
  kernels::Activated made = kernels::linear_and_before(x, weight, bias, kernels::Activation::gelu);
  record_linear(made.before, x, weight, bias);
  ops::record_gelu(made.y, made.before);
  return made.y;
}

Tensor linear_relu(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (casts(x, weight)) return in_sixteen_bits(x, weight, bias, linear_relu);
  if (x.dtype() == DType::f64) return relu(linear(x, weight, bias));
  Tensor y = kernels::linear(x, weight, bias, kernels::Activation::relu);
  if (!wants_gradient(x, weight, bias)) return y;
  record(y, "linear_relu", {x, weight, bias},
         [x = SavedTensor(x, "linear_relu"), weight = SavedTensor(weight, "linear_relu"),
          kept = SavedResult(y, "linear_relu")](const Tensor& gradient, Node& node) {
           const Tensor y = kept.get(node);
           const Tensor before =
               is_grad_enabled() ? ops::masked(gradient, kernels::gt(y, 0), true) : kernels::relu_backward(gradient, y);
           return gradients_of_linear(before, x, weight, {node.wants(0), node.wants(1), node.wants(2)});
         });
  return y;
}

}  // namespace reprise
