// Gradients of broadcast and promoted operands.
#pragma once

#include <reprise/ops.h>

namespace reprise::ops {

// The sizes and type of an argument.
struct Shape {
  explicit Shape(const Tensor& x) : sizes(x.sizes()), dtype(x.dtype()) {}
  Sizes sizes;
  DType dtype;
};

// Sums over the broadcast dimensions.
Tensor sum_to(const Tensor& x, const Sizes& sizes);
// The gradient of an argument from that of its broadcast, promoted form.
Tensor fit(const Tensor& gradient, const Shape& shape);

}  // namespace reprise::ops
