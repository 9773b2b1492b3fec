// Functions that create tensors, on the current stream.
#pragma once

#include <reprise/random.h>
#include <reprise/tensor.h>

#include <initializer_list>
#include <optional>

namespace reprise {

Tensor empty(const Sizes& sizes, DType dtype = DType::f32);  // not initialised
Tensor zeros(const Sizes& sizes, DType dtype = DType::f32);
Tensor ones(const Sizes& sizes, DType dtype = DType::f32);
Tensor full(const Sizes& sizes, Scalar value, DType dtype = DType::f32);

// With the sizes and the type of `x`.
Tensor empty_like(const Tensor& x);
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);
Tensor full_like(const Tensor& x, Scalar value);

// The numbers 0, 1, ... below `end`; or start, start + step, ... below `end` (above it if step is negative). Without a
// type, i64 if all numbers are integers, otherwise f32. For an integer type the numbers are truncated first.
Tensor arange(Scalar end, std::optional<DType> dtype = {});
Tensor arange(Scalar start, Scalar end, Scalar step = 1, std::optional<DType> dtype = {});

// `steps` numbers from start to end, both included; the identity; a random order of 0 to n - 1.
Tensor linspace(double start, double end, std::int64_t steps, DType dtype = DType::f32);
Tensor eye(std::int64_t n, DType dtype = DType::f32);
Tensor eye(std::int64_t rows, std::int64_t columns, DType dtype = DType::f32);
Tensor randperm(std::int64_t n, const Generator& generator = default_generator());

// Uniform in [0, 1); standard normal; uniform integers in [low, high).
Tensor rand(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
Tensor randn(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
Tensor randint(std::int64_t low, std::int64_t high, const Sizes& sizes,
               const Generator& generator = default_generator());

// Copies host values, in row-major order: float, double (as f32), int (as i64), std::int64_t or bool. Throws while the
// current stream is capturing, since every replay would read the vector again.
template <class T>
Tensor from_vector(const std::vector<T>& values, const Sizes& sizes);
template <class T>
Tensor from_vector(const std::vector<T>& values) {
  return reprise::from_vector(values, {static_cast<std::int64_t>(values.size())});
}

}  // namespace reprise
