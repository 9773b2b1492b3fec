// Kernels that are written for single precision alone take 16-bit tensors converted.
#pragma once

#include "kernels/tensor/copy.h"

namespace reprise::kernels {

// Dense and f32; `operation` is named when it is not floating.
inline Tensor single_precision(const Tensor& x, const char* operation) {
  check(is_floating(x.dtype()), operation, ": expects a floating type, not ", x.dtype(), " of ", x.sizes());
  return contiguous(to(x, DType::f32));
}

}  // namespace reprise::kernels
