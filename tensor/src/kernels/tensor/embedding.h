// Looks up rows of a table by index.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// `weight` is [rows, size], `indices` are i64 of any sizes; the result is [indices..., size]. An index out of range
// gives NaN and is reported (device_error.h).
Tensor embedding(const Tensor& indices, const Tensor& weight);
// The gradient of the table. The order of the additions is that of the indices.
Tensor embedding_backward(const Tensor& grad, const Tensor& indices, std::int64_t rows);

}  // namespace reprise::kernels
