// Layer normalisation of rows: y = (x - mean) / sqrt(variance + epsilon) * weight + bias.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

struct LayerNorm {
  Tensor y;
  Tensor mean, rstd;  // f32, one per row, for backward
};

// Rows are along the last dimension. `weight` and `bias` have its size or are undefined.
LayerNorm layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon = 1e-5);

// The gradient of the bias is f32.
struct LayerNormGradients {
  Tensor x, weight, bias;  // weight and bias are undefined if there is no weight
};
LayerNormGradients layer_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& weight,
                                       const LayerNorm& forward);

}  // namespace reprise::kernels
