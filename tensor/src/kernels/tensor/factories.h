// New tensors with given values.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

Tensor full(const Sizes& sizes, Scalar value, DType dtype = DType::f32);
Tensor zeros(const Sizes& sizes, DType dtype = DType::f32);
Tensor ones(const Sizes& sizes, DType dtype = DType::f32);
// start, start + step, ... below `end` (above it if step is negative).
Tensor arange(Scalar start, Scalar end, Scalar step = 1, DType dtype = DType::i64);

// Copies host values, in row-major order. Throws while the current stream is capturing, since every replay would read
// `values` again.
template <class T>
Tensor from_vector(const std::vector<T>& values, const Sizes& sizes);
template <class T>
Tensor from_vector(const std::vector<T>& values) {
  return kernels::from_vector(values, {static_cast<std::int64_t>(values.size())});
}

}  // namespace reprise::kernels
