// Losses and their gradients, in the type of their argument. Kernels read the gradient of the loss from device memory.
#pragma once

#include <reprise/reduction.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

using reprise::Reduction;

struct LossAndGradient {
  Tensor loss, gradient;
};

struct CrossEntropyRule {
  Reduction reduction = Reduction::mean;
  std::int64_t ignore_index = -100;  // rows of this class count neither in the sum nor in the mean
};

struct CrossEntropy {
  Tensor loss;         // one element of the type of the logits
  Tensor normalizers;  // f32, one per row: the logarithm of the sum of exponentials
  Tensor share;        // one f32: one over the number of rows that count; undefined for a sum
  Tensor gradient;  // of the logits, for a loss gradient of 1, computed in the same launch; undefined if not requested
};

// `logits` is [rows, classes], `classes` i64 [rows]: the negative log-likelihood of each row's class. A class that is
// out of range gives NaN and is reported (device_error.h).
CrossEntropy cross_entropy(const Tensor& logits, const Tensor& classes, const CrossEntropyRule& rule,
                           bool with_gradient = false);
Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& classes,
                              const CrossEntropy& forward, const CrossEntropyRule& rule);

// The mean or sum of squared differences: one element, one launch.
Tensor squared_error(const Tensor& x, const Tensor& target, Reduction reduction);
// The gradient of x.
Tensor squared_error_backward(const Tensor& grad, const Tensor& x, const Tensor& target, Reduction reduction);

// The loss and the gradient of x for a loss gradient of 1, in one launch.
LossAndGradient squared_error_and_gradient(const Tensor& x, const Tensor& target, Reduction reduction);

}  // namespace reprise::kernels
