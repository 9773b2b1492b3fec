// Fast kernels for two contiguous i64 or bool operands.
#pragma once

#include "kernels/elementwise/elementwise.h"

namespace reprise::kernels {

// Returns false if there is no kernel for the operation. All tensors have `n` elements; if `b` is null, the second
// operand is `number`.
bool run_integer(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor* b, std::int64_t number, std::int64_t p,
                 unsigned n);

}  // namespace reprise::kernels
