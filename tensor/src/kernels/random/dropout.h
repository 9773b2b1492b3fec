// Elements set to zero at random, the others scaled up so that the mean stays.
#pragma once

#include <reprise/random.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

struct Dropout {
  Tensor y;
  Tensor kept;  // bool: what backward needs
};

Dropout dropout(const Tensor& x, double probability, const Generator& generator = default_generator());
Tensor dropout_backward(const Tensor& grad, const Tensor& kept, double probability);

}  // namespace reprise::kernels
