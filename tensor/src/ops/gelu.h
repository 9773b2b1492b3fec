// For operations that compute gelu(x) together with something else.
#pragma once

#include <reprise/tensor.h>

namespace reprise::ops {

// Records y = gelu(x).
void record_gelu(Tensor& y, const Tensor& x);

}  // namespace reprise::ops
