// Operations on random shapes, strides and types: results against double precision, gradients against finite
// differences. REPRISE_LONG_TESTS=1 tries many more shapes.
#pragma once

#include <cstdlib>

#include "network_references.h"

namespace reprise::test {

using Tensors = std::vector<Tensor>;

inline int rounds() { return std::getenv("REPRISE_LONG_TESTS") ? 40 : 4; }

struct Case {
  std::string what;
  Tensors inputs;
  Operation operation;
  Reference reference;
};

// Creates a case with a random shape.
using Maker = std::function<Case(DType, Random&)>;

inline double tolerance_of_sums(DType dtype) { return dtype == DType::f32 ? 2e-5 : dtype == DType::f16 ? 6e-3 : 5e-2; }
inline double tolerance_of_gradients(DType dtype) {
  return dtype == DType::f32 ? 3e-4 : dtype == DType::f16 ? 1.5e-2 : 1e-1;
}

// All elements of small tensors, some of large ones.
inline std::vector<std::size_t> places_in(std::size_t count, Random& random) {
  std::vector<std::size_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = i;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(std::min<std::size_t>(count, 16));
  return all;
}

inline void check_gradients_of(const Case& one, const Arrays& arrays, const Tensor& result, DType dtype,
                               Random& random) {
  const Tensor weights = random_tensor(result.sizes(), result.dtype(), random, -1, 1);
  const Tensors gradients = grad({result}, one.inputs, {weights});
  const std::vector<double> factors = values_of(weights);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    ASSERT_EQ(gradients[i].sizes(), one.inputs[i].sizes());
    ASSERT_EQ(gradients[i].dtype(), one.inputs[i].dtype());
    const std::vector<double> found = values_of(gradients[i]);
    // The gradient may be a sum of many terms, each rounded to 16 bits.
    const double summed =
        static_cast<double>(result.numel()) / static_cast<double>(std::max<std::int64_t>(1, one.inputs[i].numel()));
    const double tolerance =
        tolerance_of_gradients(dtype) * (dtype == DType::f32 ? 1 : std::max(1.0, std::sqrt(summed) / 8));
    for (std::size_t at : places_in(found.size(), random)) {
      Arrays moved = arrays;
      const double step = 1e-5;
      moved[i].values[at] += step;
      const double above = weighted_sum(one.reference(moved), factors);
      moved[i].values[at] -= 2 * step;
      const double expected = (above - weighted_sum(one.reference(moved), factors)) / (2 * step);
      ASSERT_NEAR(found[at], expected, tolerance * std::max(1.0, std::abs(expected)))
          << "gradient of argument " << i << ", element " << at;
    }
  }
}

inline void check_case(const char* name, const Case& one, DType dtype, Random& random) {
  std::string what = text(name, " ", one.what, " of ", dtype);
  Arrays arrays;
  for (Tensor input : one.inputs) {
    what += text(", ", input.sizes(), " with strides ", input.strides());
    arrays.emplace_back(input);
    input.requires_grad_();
  }
  SCOPED_TRACE(what);
  const Tensor result = one.operation(one.inputs);
  const Array expected = one.reference(arrays);
  ASSERT_EQ(result.sizes(), expected.sizes);
  ASSERT_NO_FATAL_FAILURE(expect_near(result, expected.values, tolerance_of_sums(dtype), what));
  check_gradients_of(one, arrays, result, dtype, random);
}

inline void check_shapes(const char* name, unsigned seed, const Maker& make) {
  Random random(seed);
  for (int round = 0; round < rounds(); ++round) {
    for (DType dtype : {DType::f32, DType::f16, DType::bf16}) {
      ASSERT_NO_FATAL_FAILURE(check_case(name, make(dtype, random), dtype, random));
    }
  }
}

// At least one dimension; sometimes a long one, or one of size 0.
inline Sizes sizes_of(Random& random, int dims, int most = 6) {
  Sizes sizes;
  for (int i = 0; i < dims; ++i) sizes.push_back(1 + up_to(random, most - 1));
  if (up_to(random, 5) == 0) sizes[up_to(random, dims - 1)] = 30 + up_to(random, 1100);
  if (up_to(random, 11) == 0) sizes[0] = 0;
  return sizes;
}

// With random strides, but without repeated elements: a row of equal elements has no well-defined gradient.
inline Tensor strided(const Sizes& sizes, DType dtype, Random& random, double low = -2, double high = 2) {
  for (;;) {
    Tensor x = random_tensor(sizes, dtype, random, low, high);
    if (std::find(x.strides().begin(), x.strides().end(), 0) == x.strides().end()) return x;
  }
}

// Distinct nonzero values that every type represents exactly, so that extrema are unique and no kink is near. Each
// `part` has different values.
inline Tensor distinct(const Sizes& sizes, DType dtype, Random& random, int part = 0) {
  const auto count = static_cast<std::size_t>(product(sizes));
  std::vector<double> values;
  for (int i = part; i < 256; i += part ? 2 : 1) values.push_back((2.0 * i - 255) / 64);
  std::shuffle(values.begin(), values.end(), random);
  check(count <= values.size(), "distinct: too many");
  values.resize(count);
  Sizes order, stored, back = sizes;
  for (int i = 0; i < sizes.size(); ++i) order.push_back(i);
  std::shuffle(order.begin(), order.end(), random);
  for (int i = 0; i < sizes.size(); ++i) {
    stored.push_back(sizes[static_cast<int>(order[i])]);
    back[static_cast<int>(order[i])] = i;
  }
  return kernels::permute(kernels::to(kernels::from_vector(values, stored), dtype), back);
}

inline Array mapped(const Array& in, double (*function)(double)) {
  Array out = in;
  for (double& value : out.values) value = function(value);
  return out;
}

}  // namespace reprise::test
