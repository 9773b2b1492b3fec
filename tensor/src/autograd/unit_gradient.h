// The constant 1 as the initial gradient of backward. Losses recognise it and return a gradient computed in forward,
// which saves a fill and a multiplication. It must not be written to, so only operations that do not pass it on get it.
#pragma once

#include <reprise/tensor.h>

namespace reprise::autograd {

const Tensor& unit_gradient(DType dtype);  // one element of a floating type
inline bool is_unit_gradient(const Tensor& gradient) { return gradient.is_same(unit_gradient(gradient.dtype())); }

}  // namespace reprise::autograd
