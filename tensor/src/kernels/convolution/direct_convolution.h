// Direct convolutions with few terms per output, for which im2col and a matrix product would be slower.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

struct ConvolutionShape {
  int batch, in, height, width, out, rows, columns, out_height, out_width, stride, padding, dilation;

  // The number of products summed for one output.
  int terms() const { return in * rows * columns; }
  std::int64_t places() const { return std::int64_t(out_height) * out_width; }
};

bool fits_directly(const ConvolutionShape& shape);
// All tensors are contiguous f32; the bias may be undefined.
void convolve_directly(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias,
                       const ConvolutionShape& shape);

}  // namespace reprise::kernels
