// Fast kernels for two contiguous f16 or bf16 operands, for the operations that matter in models.
#pragma once

#include "kernels/elementwise/elementwise.h"

namespace reprise::kernels {

// Returns false if there is no kernel for the operation. All tensors have `n` elements; if `b` is null, the second
// operand is `number`.
bool run_half(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor* b, float number, float p, unsigned n);

}  // namespace reprise::kernels
