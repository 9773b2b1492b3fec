// Rows brought to mean 0 and variance 1, then scaled and shifted: y = (x - mean) / sqrt(variance + epsilon) * weight +
// bias.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

struct LayerNorm {
  Tensor y;
  Tensor mean, rstd;  // f32, one for each row: what backward needs
};

// Rows are the last dimension. `weight` and `bias` have its size, or are undefined.
LayerNorm layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon = 1e-5);

// The bias's is in single precision.
struct LayerNormGradients {
  Tensor x, weight, bias;  // weight and bias undefined where there is no weight
};
LayerNormGradients layer_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& weight,
                                       const LayerNorm& forward);

}  // namespace reprise::kernels
