// The gradient that backward begins with, one, for losses which know it and have theirs ready: a fill and a
// multiplication less. Nothing may write to it, so only operations see it that do not hand it on.
#pragma once

#include <reprise/tensor.h>

namespace reprise::autograd {

const Tensor& unit_gradient();  // one f32
inline bool is_unit_gradient(const Tensor& gradient) { return gradient.is_same(unit_gradient()); }

}  // namespace reprise::autograd
