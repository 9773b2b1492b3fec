// Tensors of random shapes, strides and values, and comparison with values computed in double precision on the host.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "error_of.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "kernels/tensor/views.h"

namespace reprise::test {

using Random = std::mt19937;

inline int up_to(Random& random, int most) { return static_cast<int>(random() % (most + 1)); }

inline Sizes random_sizes(Random& random, int most_dims = 4, int most = 7) {
  Sizes sizes;
  for (int dims = up_to(random, most_dims); dims > 0; --dims) sizes.push_back(1 + up_to(random, most - 1));
  return sizes;
}

// Sizes that broadcast to `sizes`.
inline Sizes broadcast_from(const Sizes& sizes, Random& random) {
  Sizes from = sizes;
  for (std::int64_t& size : from) {
    if (up_to(random, 3) == 0) size = 1;
  }
  while (!from.empty() && up_to(random, 4) == 0) from.erase(0);
  return from;
}

// Values between low and high; integers for i64, false and true for bool.
inline Tensor dense_random(const Sizes& sizes, DType dtype, Random& random, double low, double high) {
  std::uniform_real_distribution<double> values(low, high);
  std::vector<double> all(static_cast<std::size_t>(product(sizes)));
  for (double& value : all) {
    value = values(random);
    if (dtype == DType::i64) value = std::round(value);
    if (dtype == DType::boolean) value = up_to(random, 1);
  }
  return kernels::to(kernels::from_vector(all, sizes), dtype);
}

// The same with random strides: contiguous, permuted, part of a larger tensor, or expanded.
inline Tensor random_tensor(const Sizes& sizes, DType dtype, Random& random, double low = -2, double high = 2) {
  int dims = sizes.size();
  if (dims == 0) return dense_random(sizes, dtype, random, low, high);
  switch (up_to(random, 4)) {
    case 0: {
      Sizes order, stored, back = sizes;
      for (int i = 0; i < dims; ++i) order.push_back(i);
      std::shuffle(order.begin(), order.end(), random);
      for (int i = 0; i < dims; ++i) {
        stored.push_back(sizes[static_cast<int>(order[i])]);
        back[static_cast<int>(order[i])] = i;
      }
      return kernels::permute(dense_random(stored, dtype, random, low, high), back);
    }
    case 1: {
      int dim = up_to(random, dims - 1);
      Sizes larger = sizes;
      larger[dim] += 3;
      return kernels::narrow(dense_random(larger, dtype, random, low, high), dim, up_to(random, 3), sizes[dim]);
    }
    case 2: {
      Sizes smaller = sizes;
      smaller[up_to(random, dims - 1)] = 1;
      return kernels::expand(dense_random(smaller, dtype, random, low, high), sizes);
    }
    default:
      return dense_random(sizes, dtype, random, low, high);
  }
}

inline std::vector<double> values_of(const Tensor& x) { return x.to_vector<double>(); }

// The rounding error for values of about 1.
inline double tolerance(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return 2e-6;
    case DType::f16:
      return 1e-3;
    case DType::bf16:
      return 8e-3;
    default:
      return 0;
  }
}

inline void expect_near(const Tensor& actual, const std::vector<double>& expected, double tolerance,
                        const std::string& what) {
  std::vector<double> values = values_of(actual);
  ASSERT_EQ(values.size(), expected.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(expected[i])) {
      ASSERT_TRUE(std::isnan(values[i])) << what << ", element " << i << ": " << values[i];
    } else if (values[i] != expected[i]) {
      ASSERT_NEAR(values[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i])))
          << what << ", element " << i;
    }
  }
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

}  // namespace reprise::test
