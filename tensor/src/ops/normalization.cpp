// Layer normalisation and dropout.
#include <reprise/ops.h>

#include "autograd/record.h"
#include "raw/dropout.h"
#include "raw/layer_norm.h"

namespace reprise {

using autograd::Kept;
using autograd::Node;
using autograd::record;
using autograd::record_once;
using autograd::Tensors;
using autograd::wants_gradient;

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
  raw::LayerNorm forward = raw::layer_norm(x, weight, bias, epsilon);
  Tensor y = std::move(forward.y);
  if (wants_gradient(x, weight, bias)) {
    record_once(y, "layer_norm", {x, weight, bias}, [x = Kept(x, "layer_norm"), weight = Kept(weight, "layer_norm"), forward](const Tensor& gradient, Node& node) {
      raw::LayerNormGradients all = raw::layer_norm_backward(gradient, x, weight, forward);
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
      return Tensors{recorded_dropout(gradient, raw::dropout_backward(gradient, kept, probability), kept, probability)};
    });
  }
  return y;
}

}  // namespace

Tensor dropout(const Tensor& x, double probability, bool training) {
  check(probability >= 0 && probability <= 1, "dropout with a probability of ", probability);
  if (!training || probability == 0) return x;
  const raw::Dropout dropped = raw::dropout(x, probability);
  return recorded_dropout(x, dropped.y, dropped.kept, probability);
}

}  // namespace reprise
