// Fast kernels for two operands of f16 or bf16 that lie densely, for the operations that models use on many elements.
#pragma once

#include "kernels/elementwise/elementwise.h"

namespace reprise::kernels {

// Whether there was one. All three have `n` elements; without `b` it is the number.
bool run_half(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor* b, float number, float p, unsigned n);

}  // namespace reprise::kernels
