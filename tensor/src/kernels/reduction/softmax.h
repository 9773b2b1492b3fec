// Softmax and its logarithm along one dimension. Computed in single precision for every floating type.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

Tensor softmax(const Tensor& x, std::int64_t dim);
Tensor log_softmax(const Tensor& x, std::int64_t dim);
// `result` is what the forward function gave.
Tensor softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim);
Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim);
// softmax(scale * x) of scores [..., queries, keys] along the keys; with `causal` a query sees the keys up to its own
// place. In one pass over the scores, for attention.
Tensor attention_weights(const Tensor& scores, double scale, bool causal);
// The gradient of the scores.
Tensor attention_weights_backward(const Tensor& grad, const Tensor& weights, double scale);

}  // namespace reprise::kernels
