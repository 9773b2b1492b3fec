// Rows of a table, chosen by indices.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// `weight` [rows, size], `indices` i64 of any sizes: the result is [indices..., size]. An index that is no row gives
// NaN, since a kernel cannot throw.
Tensor embedding(const Tensor& indices, const Tensor& weight);
// The gradient of the table, summed in the order of the indices.
Tensor embedding_backward(const Tensor& grad, const Tensor& indices, std::int64_t rows);

}  // namespace reprise::kernels
