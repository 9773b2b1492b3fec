// Uninitialised tensors.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

Tensor empty(const Sizes& sizes, DType dtype = DType::f32);
inline Tensor empty_like(const Tensor& x) { return kernels::empty(x.sizes(), x.dtype()); }

}  // namespace reprise::kernels
