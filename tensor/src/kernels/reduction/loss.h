// Losses and their gradients. Kernels read the gradient of the loss (`grad`, one f32) from device memory.
#pragma once

#include <reprise/reduction.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

using reprise::Reduction;

struct LossAndGradient {
  Tensor loss, gradient;
};

struct CrossEntropy {
  Tensor loss;         // one f32
  Tensor normalizers;  // f32, one per row: the logarithm of the sum of exponentials
  Tensor gradient;     // of the logits, for a loss gradient of 1; undefined if not requested
};

// `logits` is [rows, classes], `classes` i64 [rows]: the negative log-likelihood of each row's class, averaged over the
// rows. A class out of range gives NaN.
CrossEntropy cross_entropy(const Tensor& logits, const Tensor& classes, Reduction reduction = Reduction::mean);
// With the gradient, computed in the same launch.
CrossEntropy cross_entropy_and_gradient(const Tensor& logits, const Tensor& classes,
                                        Reduction reduction = Reduction::mean);
Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& classes,
                              const Tensor& normalizers, Reduction reduction = Reduction::mean);

// The mean or sum of squared differences: one f32, one launch.
Tensor squared_error(const Tensor& x, const Tensor& target, Reduction reduction);
// The gradient of x.
Tensor squared_error_backward(const Tensor& grad, const Tensor& x, const Tensor& target, Reduction reduction);

// The loss and the gradient of x for a loss gradient of 1, in one launch.
LossAndGradient squared_error_and_gradient(const Tensor& x, const Tensor& target, Reduction reduction);

}  // namespace reprise::kernels
