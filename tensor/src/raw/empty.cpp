#include "raw/empty.h"

namespace reprise::raw {

Tensor empty(const Sizes& sizes, DType dtype) {
  std::int64_t count = 1;
  for (std::int64_t size : sizes) {
    check(size >= 0, "a tensor cannot have the sizes ", sizes);
    count *= size;
  }
  auto body = std::make_shared<TensorBody>();
  body->memory = allocate(static_cast<std::size_t>(count) * size_of(dtype));
  body->sizes = sizes;
  body->strides = contiguous_strides(sizes);
  body->dtype = dtype;
  return Tensor(std::move(body));
}

}  // namespace reprise::raw
