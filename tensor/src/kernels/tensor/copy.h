// Copies on the device, between any strides and element types.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// `to` takes the values of `from`, broadcast and converted.
void copy_(const Tensor& to, const Tensor& from);
// Dense, row after row.
Tensor clone(const Tensor& x);
// `x` itself where nothing is to be done.
Tensor contiguous(const Tensor& x);
// `x`, or a copy in order where an operation with so many results would otherwise read enough of it across memory.
Tensor in_order(const Tensor& x, std::int64_t results);
Tensor to(const Tensor& x, DType dtype);
void fill_(const Tensor& x, double value);
void zero_(const Tensor& x);

}  // namespace reprise::kernels
