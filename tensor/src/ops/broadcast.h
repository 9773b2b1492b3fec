// The way back through broadcasting and promotion.
#pragma once

#include <reprise/ops.h>

namespace reprise::ops {

// What an argument was, without the argument.
struct Shape {
  explicit Shape(const Tensor& x) : sizes(x.sizes()), dtype(x.dtype()) {}
  Sizes sizes;
  DType dtype;
};

// Sums over what was repeated.
Tensor sum_to(const Tensor& x, const Sizes& sizes);
// The gradient of an argument from that of its broadcast and promoted form.
Tensor fit(const Tensor& gradient, const Shape& shape);

}  // namespace reprise::ops
