#include "kernels/tensor/empty.h"

namespace reprise::kernels {

Tensor empty(const Sizes& sizes, DType dtype) {
  check(is_countable(sizes), "a tensor cannot have the sizes ", sizes);
  auto body = std::make_shared<TensorBody>();
  body->memory = allocate(static_cast<std::size_t>(product(sizes)) * size_of(dtype));
  body->sizes = sizes;
  body->strides = contiguous_strides(sizes);
  body->dtype = dtype;
  return Tensor(std::move(body));
}

}  // namespace reprise::kernels
