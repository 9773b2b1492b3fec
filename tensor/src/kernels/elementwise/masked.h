// Selection by a mask, as gradients of choices need it: the elements that are not selected do not count, not even as
// zero times infinity.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// `x` where `mask` (bool) is `selected`, and zero elsewhere, in the broadcast sizes and with the type of `x`.
Tensor masked(const Tensor& x, const Tensor& mask, bool selected);

}  // namespace reprise::kernels
