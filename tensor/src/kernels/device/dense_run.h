// The fast path of elementwise operations: contiguous operands of the same sizes are treated as one dimension, without
// computing a layout.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// The number of elements if all tensors are contiguous, have the same sizes, and their count fits in 32 bits; otherwise
// 0.
template <class... Others>
unsigned dense_run(const Tensor& first, const Others&... others) {
  const TensorBody& body = first.body();
  auto alike = [&](const TensorBody& other) { return other.sizes == body.sizes && other.strides == body.strides; };
  if (!(alike(others.body()) && ...)) return 0;
  std::int64_t count = 1;
  for (int i = body.sizes.size() - 1; i >= 0; --i) {
    if (body.strides[i] != count) return 0;
    count *= body.sizes[i];
    if (count <= 0 || count >= std::int64_t{1} << 31) return 0;
  }
  return static_cast<unsigned>(count);
}

}  // namespace reprise::kernels
