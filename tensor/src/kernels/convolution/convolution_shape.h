// The shape of a convolution, as kernels take it.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

struct ConvolutionShape {
  int batch, in, height, width, out, rows, columns, out_height, out_width;
  int stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w, groups;

  // The number of products summed for one output.
  int terms() const { return in / groups * rows * columns; }
  std::int64_t places() const { return std::int64_t(out_height) * out_width; }
};

}  // namespace reprise::kernels
