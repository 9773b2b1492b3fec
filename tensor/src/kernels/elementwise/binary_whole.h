// Fast kernels for two operands of i64, or of bool, that lie densely.
#pragma once

#include "kernels/elementwise/elementwise.h"

namespace reprise::kernels {

// Whether there was one. All three have `n` elements; without `b` it is the number.
bool run_whole(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor* b, std::int64_t number, std::int64_t p,
               unsigned n);

}  // namespace reprise::kernels
