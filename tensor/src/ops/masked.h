// Selection by a mask, recorded.
#pragma once

#include <reprise/tensor.h>

namespace reprise::ops {

// `x` where `mask` is `selected`, and zero elsewhere.
Tensor masked(const Tensor& x, const Tensor& mask, bool selected);

}  // namespace reprise::ops
