// Layer normalisation and dropout.
#include <reprise/ops.h>

#include "autograd/record.h"
#include "kernels/random/dropout.h"
#include "kernels/reduction/layer_norm.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;

namespace {

Tensor over_rows(const Tensor& x) { return sum(x.reshape({x.numel() / x.size(-1), x.size(-1)}), {0}); }

// The gradients as recorded operations, for differentiating twice. With n = (x - mean) / deviation, the gradient of x
// is (g weight - mean(g weight) - n mean(g weight n)) / deviation, that of the weight g n, that of the bias g, the
// latter two summed over rows.
Tensors differentiable_gradients(const Tensor& given, const Tensor& x, const Tensor& weight, DType bias, double epsilon,
                                 const Node& node) {
  const Tensor gradient = given.to(DType::f32), single = x.to(DType::f32);
  const Tensor centred = sub(single, mean(single, {-1}, true));
  const Tensor inverse = div(1, sqrt(add(mean(mul(centred, centred), {-1}, true), epsilon)));
  const Tensor normal = mul(centred, inverse);
  Tensors gradients(3);
  if (node.wants(0)) {
    const Tensor scaled = weight.defined() ? mul(gradient, weight.to(DType::f32)) : gradient;
    const Tensor along = mul(normal, mean(mul(scaled, normal), {-1}, true));
    gradients[0] = mul(sub(sub(scaled, mean(scaled, {-1}, true)), along), inverse).to(x.dtype());
  }
  if (node.wants(1)) gradients[1] = over_rows(mul(gradient, normal)).to(weight.dtype());
  if (node.wants(2)) gradients[2] = over_rows(gradient).to(bias);
  return gradients;
}

}  // namespace

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
  if (x.dtype() == DType::f64) {
    const Tensor centred = sub(x, mean(x, {-1}, true));
    Tensor y = div(centred, sqrt(add(mean(mul(centred, centred), {-1}, true), epsilon)));
    if (weight.defined()) y = mul(y, weight);
    return bias.defined() ? add(y, bias) : y;
  }
  kernels::LayerNorm forward = kernels::layer_norm(x, weight, bias, epsilon);
  Tensor y = std::move(forward.y);
  if (wants_gradient(x, weight, bias)) {
    record(y, "layer_norm", {x, weight, bias},
           [x = SavedTensor(x, "layer_norm"), weight = SavedTensor(weight, "layer_norm"), forward,
            bias = bias.defined() ? bias.dtype() : x.dtype(), epsilon](const Tensor& gradient, Node& node) {
             if (is_grad_enabled()) return differentiable_gradients(gradient, x, weight, bias, epsilon, node);
             kernels::LayerNormGradients all = kernels::layer_norm_backward(gradient, x, weight, forward);
             // Computed together with that of the weight, if there is one; the types may differ.
             if (node.wants(2)) all.bias = (all.bias.defined() ? all.bias : over_rows(gradient)).to(bias);
             return Tensors{node.wants(0) ? all.x : Tensor(), node.wants(1) ? all.weight : Tensor(),
                            node.wants(2) ? all.bias : Tensor()};
           });
  }
  return y;
}

namespace {

Tensor recorded_dropout(const Tensor& x, Tensor y, const Tensor& kept, double probability) {
  if (wants_gradient(x)) {
    record(y, "dropout", {x}, [kept, probability](const Tensor& gradient, Node&) {
      return Tensors{
          recorded_dropout(gradient, kernels::dropout_backward(gradient, kept, probability), kept, probability)};
    });
  }
  return y;
}

}  // namespace

Tensor dropout(const Tensor& x, double probability, bool training) {
  check(probability >= 0 && probability <= 1, "dropout of ", x.sizes(), ": a probability is between 0 and 1, not ",
        probability);
  if (!training || probability == 0) return x;
  const kernels::Dropout dropped = kernels::dropout(x, probability);
  return recorded_dropout(x, dropped.y, dropped.kept, probability);
}

}  // namespace reprise
