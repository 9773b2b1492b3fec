// Softmax and its logarithm along one dimension. Computed in single precision for every floating type.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

Tensor softmax(const Tensor& x, std::int64_t dim);
Tensor log_softmax(const Tensor& x, std::int64_t dim);
// `result` is the result of the forward function.
Tensor softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim);
Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim);
// softmax(scale * x) of scores [..., queries, keys] along the keys, for attention, in one pass over the scores. If
// `causal`, a query attends only to keys up to its own position.
Tensor attention_weights(const Tensor& scores, double scale, bool causal);
// The gradient of the scores.
Tensor attention_weights_backward(const Tensor& grad, const Tensor& weights, double scale);

}  // namespace reprise::kernels
