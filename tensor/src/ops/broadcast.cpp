#include "ops/broadcast.h"

namespace reprise::ops {

Tensor sum_to(const Tensor& x, const Sizes& sizes) {
  if (x.sizes() == sizes) return x;
  const int added = x.dim() - sizes.size();
  Sizes dims;
  for (int i = 0; i < x.dim(); ++i) {
    if (i < added || (sizes[i - added] == 1 && x.sizes()[i] != 1)) dims.push_back(i);
  }
  return sum(x, dims, true).view(sizes);
}

Tensor fit(const Tensor& gradient, const Shape& shape) { return sum_to(gradient, shape.sizes).to(shape.dtype); }

}  // namespace reprise::ops
