// Tensors of random numbers. Each group of four elements takes four words, so the values do not depend on the device.
#pragma once

#include <reprise/random.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

// Uniform in [0, 1).
Tensor rand(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
// The standard normal distribution.
Tensor randn(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
// Integers in [low, high).
Tensor randint(std::int64_t low, std::int64_t high, const Sizes& sizes,
               const Generator& generator = default_generator());

// In place, for contiguous floating-point tensors.
void uniform_(const Tensor& x, double low, double high, const Generator& generator = default_generator());
void normal_(const Tensor& x, double mean, double deviation, const Generator& generator = default_generator());

}  // namespace reprise::kernels
