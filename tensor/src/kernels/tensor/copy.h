// Copies on the device, between any strides and element types.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// Copies `from` to `to`, with broadcasting and conversion.
void copy_(const Tensor& to, const Tensor& from);
// A contiguous copy.
Tensor clone(const Tensor& x);
// `x` itself if it already is contiguous or of that type.
Tensor contiguous(const Tensor& x);
// `x`, or a contiguous copy if an operation with this many results would read it with large strides often enough for
// the copy to pay off.
Tensor in_order(const Tensor& x, std::int64_t results);
Tensor to(const Tensor& x, DType dtype);
void fill_(const Tensor& x, Scalar value);
void zero_(const Tensor& x);

}  // namespace reprise::kernels
