// New tensors. What they compute goes on the current stream.
#pragma once

#include <reprise/random.h>
#include <reprise/tensor.h>

#include <initializer_list>

namespace reprise {

Tensor empty(const Sizes& sizes, DType dtype = DType::f32);  // any values
Tensor zeros(const Sizes& sizes, DType dtype = DType::f32);
Tensor ones(const Sizes& sizes, DType dtype = DType::f32);
Tensor full(const Sizes& sizes, double value, DType dtype = DType::f32);

// Of the same sizes and type.
Tensor empty_like(const Tensor& x);
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);
Tensor full_like(const Tensor& x, double value);

// 0, 1, ... below `end`; start, start + step, ... below it (above it where step is negative).
Tensor arange(double end, DType dtype = DType::i64);
Tensor arange(double start, double end, double step = 1, DType dtype = DType::i64);

// Evenly between 0 and 1, without 1; normally distributed; whole numbers from low on, below high.
Tensor rand(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
Tensor randn(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
Tensor randint(std::int64_t low, std::int64_t high, const Sizes& sizes,
               const Generator& generator = default_generator());

// The host's values, row after row: float, double (as f32), int (as i64), std::int64_t or bool. Refused while the
// current stream is capturing: the copy would read the values on every replay, when they are gone.
template <class T>
Tensor from_vector(const std::vector<T>& values, const Sizes& sizes);
template <class T>
Tensor from_vector(const std::vector<T>& values) {
  return reprise::from_vector(values, {static_cast<std::int64_t>(values.size())});
}

}  // namespace reprise
