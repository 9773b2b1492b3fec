// Dropout: sets random elements to zero and scales the others so that the expected value is unchanged.
#pragma once

#include <reprise/random.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

struct Dropout {
  Tensor y;
  Tensor kept;  // bool, for backward
};

Dropout dropout(const Tensor& x, double probability, const Generator& generator = default_generator());
Tensor dropout_backward(const Tensor& grad, const Tensor& kept, double probability);

}  // namespace reprise::kernels
