// Softmax and attention.
#include "kernels/reduction/softmax.h"

#include <reprise/ops.h>

#include <cmath>

#include "autograd/record.h"
#include "kernels/reduction/reduce.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedResult;
using autograd::Tensors;
using autograd::wants_gradient;

namespace {

// For f64, for which there is no kernel.
Tensor shifted(const Tensor& x, std::int64_t dim) { return sub(x, kernels::max(x, {dim}, true)); }

}  // namespace

Tensor softmax(const Tensor& x, std::int64_t dim) {
  if (x.dtype() == DType::f64) {
    const Tensor all = exp(shifted(x, dim));
    return div(all, sum(all, {dim}, true));
  }
  Tensor y = kernels::softmax(x, dim);
  if (wants_gradient(x)) {
    record(y, "softmax", {x}, [kept = SavedResult(y, "softmax"), dim](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{kernels::softmax_backward(gradient, y, dim)};
      return Tensors{mul(y, sub(gradient, sum(mul(gradient, y), {dim}, true)))};
    });
  }
  return y;
}

Tensor log_softmax(const Tensor& x, std::int64_t dim) {
  if (x.dtype() == DType::f64) {
    const Tensor y = shifted(x, dim);
    return sub(y, log(sum(exp(y), {dim}, true)));
  }
  Tensor y = kernels::log_softmax(x, dim);
  if (wants_gradient(x)) {
    record(y, "log_softmax", {x}, [kept = SavedResult(y, "log_softmax"), dim](const Tensor& gradient, Node& node) {
      const Tensor y = kept.get(node);
      if (!is_grad_enabled()) return Tensors{kernels::log_softmax_backward(gradient, y, dim)};
      return Tensors{sub(gradient, mul(exp(y), sum(gradient, {dim}, true)))};
    });
  }
  return y;
}

namespace {

Tensor attention_weights(const Tensor& scores, double scale, bool causal) {
  Tensor weights = kernels::attention_weights(scores, scale, causal);
  if (wants_gradient(scores)) {
    record(weights, "attention", {scores},
           [kept = SavedResult(weights, "attention"), scale](const Tensor& gradient, Node& node) {
             const Tensor y = kept.get(node);
             if (!is_grad_enabled()) return Tensors{kernels::attention_weights_backward(gradient, y, scale)};
             return Tensors{mul(mul(y, sub(gradient, sum(mul(gradient, y), {-1}, true))), scale)};
           });
  }
  return weights;
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, bool causal,
                                    double dropout_probability) {
  check(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2 && query.size(-1) == key.size(-1) &&
            key.size(-2) == value.size(-2),
        "attention of queries ", query.sizes(), " over keys ", key.sizes(), " and values ", value.sizes());
  const double scale = 1 / std::sqrt(static_cast<double>(query.size(-1)));
  if (query.dtype() == DType::f64) {
    AttentionArguments arguments;
    arguments.scale = scale;
    arguments.is_causal = causal;
    arguments.dropout_p = dropout_probability;
    return scaled_dot_product_attention(query, key, value, arguments);
  }
  Tensor weights = attention_weights(matmul(query, key.transpose(-2, -1)), scale, causal);
  if (dropout_probability > 0) weights = dropout(weights, dropout_probability);
  return matmul(weights, value);
}

}  // namespace reprise
