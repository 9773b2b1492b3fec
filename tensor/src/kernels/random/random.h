// Tensors of random numbers. Each draws four words for each four elements, so that the values do not depend on the
// device.
#pragma once

#include <reprise/random.h>
#include <reprise/tensor.h>

namespace reprise::kernels {

// Evenly between 0 and 1, without 1.
Tensor rand(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
// The standard normal distribution.
Tensor randn(const Sizes& sizes, DType dtype = DType::f32, const Generator& generator = default_generator());
// Whole numbers from low on, below high.
Tensor randint(std::int64_t low, std::int64_t high, const Sizes& sizes,
               const Generator& generator = default_generator());

// In place, for dense tensors of floating types.
void uniform_(const Tensor& x, double low, double high, const Generator& generator = default_generator());
void normal_(const Tensor& x, double mean, double deviation, const Generator& generator = default_generator());

}  // namespace reprise::kernels
