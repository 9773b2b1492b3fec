#include "kernels/tensor/factories.h"

#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"

namespace reprise::kernels {

Tensor full(const Sizes& sizes, Scalar value, DType dtype) {
  Tensor made = empty(sizes, dtype);
  fill_(made, value);
  return made;
}

Tensor zeros(const Sizes& sizes, DType dtype) {
  Tensor made = empty(sizes, dtype);
  zero_(made);
  return made;
}

Tensor ones(const Sizes& sizes, DType dtype) { return full(sizes, 1, dtype); }

}  // namespace reprise::kernels
