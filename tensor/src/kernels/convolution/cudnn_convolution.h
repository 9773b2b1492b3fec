// Convolutions by cuDNN, where there is one: on the CPU device ours, which is oneDNN (libraries/cudnn).
#pragma once

#include "kernels/convolution/convolution_shape.h"

namespace reprise::kernels {

// Each returns false if there is no library, or none of its convolutions fits. All tensors are contiguous f32 and have
// elements; the bias may be undefined.
bool cudnn_forward(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias,
                   const ConvolutionShape& shape);
bool cudnn_backward_data(const Tensor& dx, const Tensor& dy, const Tensor& weight, const ConvolutionShape& shape);
bool cudnn_backward_filter(const Tensor& dw, const Tensor& dy, const Tensor& x, const ConvolutionShape& shape);

}  // namespace reprise::kernels
