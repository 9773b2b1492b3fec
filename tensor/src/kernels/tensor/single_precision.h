// Converts 16-bit tensors for kernels that exist in single precision only.
#pragma once

#include "kernels/tensor/copy.h"

namespace reprise::kernels {

// `x` as a contiguous f32 tensor. Throws, naming `operation`, if `x` is not floating-point.
inline Tensor single_precision(const Tensor& x, const char* operation) {
  check(x.dtype() != DType::f64, operation, ": not for f64 of ", x.sizes(), "; convert it with to(DType::f32)");
  check(is_floating(x.dtype()), operation, ": expects a floating type, not ", x.dtype(), " of ", x.sizes());
  return contiguous(to(x, DType::f32));
}

}  // namespace reprise::kernels
