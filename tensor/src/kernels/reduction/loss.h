// Losses, each with what its gradient needs. The gradient of the loss (one f32, `grad`) is read on the device.
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
  Tensor normalizers;  // f32, one for each row: the logarithm of the sum of exponentials
  Tensor gradient;     // that of the logits for a gradient of the loss of one; undefined where it is not asked for
};

// `logits` [rows, classes], `classes` i64 [rows]: the negative logarithm of the probability of each row's class, the
// mean over the rows. A class that is none of the row's gives NaN.
CrossEntropy cross_entropy(const Tensor& logits, const Tensor& classes, Reduction reduction = Reduction::mean);
// With the gradient, which is made in the same launch.
CrossEntropy cross_entropy_and_gradient(const Tensor& logits, const Tensor& classes,
                                        Reduction reduction = Reduction::mean);
Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& classes,
                              const Tensor& normalizers, Reduction reduction = Reduction::mean);

// Squared differences, their mean or sum: one f32. One launch.
Tensor squared_error(const Tensor& x, const Tensor& target, Reduction reduction);
// The gradient of x.
Tensor squared_error_backward(const Tensor& grad, const Tensor& x, const Tensor& target, Reduction reduction);

// The loss, and the gradient of x for a gradient of the loss of one: in one launch, for a loss that is only minimised.
LossAndGradient squared_error_and_gradient(const Tensor& x, const Tensor& target, Reduction reduction);

}  // namespace reprise::kernels
