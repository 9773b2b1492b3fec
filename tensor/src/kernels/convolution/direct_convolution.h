// Direct convolutions with few terms per output, for which im2col and a matrix product would be slower.
#pragma once

#include "kernels/convolution/convolution_shape.h"

namespace reprise::kernels {

// Also requires one group and the same stride, padding and dilation in both dimensions.
bool fits_directly(const ConvolutionShape& shape);
// All tensors are contiguous f32; the bias may be undefined.
void convolve_directly(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const ConvolutionShape& shape);

}  // namespace reprise::kernels
