// Convolutions of images [batch, in, height, width] with filters [out, in / groups, rows,
// columns].
#pragma once

#include <reprise/int_pair.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

struct Convolution {
  IntPair stride = 1, padding = 0, dilation = 1;
  std::int64_t groups = 1;
};

// The bias [out] may be undefined.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Convolution& convolution);
Tensor conv2d_input_gradient(const Tensor& grad, const Tensor& weight, const Sizes& input_sizes,
                             const Convolution& convolution);
Tensor conv2d_weight_gradient(const Tensor& grad, const Tensor& x, const Sizes& weight_sizes,
                              const Convolution& convolution);
// The gradient of the bias is the sum of `grad` over all dimensions but the channels.

}  // namespace reprise::kernels
