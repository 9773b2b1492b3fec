#include "ops/masked.h"

#include "autograd/record.h"
#include "kernels/elementwise/masked.h"
#include "ops/broadcast.h"

namespace reprise::ops {

using autograd::Node;
using autograd::SavedTensor;
using autograd::Tensors;

Tensor masked(const Tensor& x, const Tensor& mask, bool selected) {
  Tensor y = kernels::masked(x, mask, selected);
  if (autograd::wants_gradient(x)) {
    autograd::record(y, "masked", {x},
                     [mask = SavedTensor(mask, "masked"), shape = Shape(x), selected](const Tensor& gradient, Node&) {
                       return Tensors{fit(masked(gradient, mask, selected), shape)};
                     });
  }
  return y;
}

}  // namespace reprise::ops
