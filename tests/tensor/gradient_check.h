// Checks results and gradients against a reference function on the host, in double precision; gradients by finite
// differences.
#pragma once

#include <reprise/autograd.h>
#include <reprise/ops.h>

#include <functional>

#include "random_tensors.h"

namespace reprise::test {

// A contiguous array of doubles.
struct Array {
  Sizes sizes;
  std::vector<double> values;

  Array() = default;
  explicit Array(const Sizes& shape) : sizes(shape), values(static_cast<std::size_t>(product(shape))) {}
  explicit Array(const Tensor& x) : sizes(x.sizes()), values(values_of(x)) {}

  double& at(const Sizes& index) { return values[place(index)]; }
  double at(const Sizes& index) const { return values[place(index)]; }

  // Dimensions of size 1 repeat, as in broadcasting; leading dimensions of the index may be missing.
  std::size_t place(const Sizes& index) const {
    std::size_t at = 0;
    const int missing = index.size() - sizes.size();
    for (int i = 0; i < sizes.size(); ++i) {
      at = at * static_cast<std::size_t>(sizes[i]) + static_cast<std::size_t>(sizes[i] == 1 ? 0 : index[i + missing]);
    }
    return at;
  }
};

template <class Visit>
void for_each_index(const Sizes& sizes, Visit visit) {
  Sizes index = Sizes::filled(sizes.size(), 0);
  for (std::int64_t left = product(sizes); left > 0; --left) {
    visit(static_cast<const Sizes&>(index));
    for (int i = sizes.size() - 1; i >= 0 && ++index[i] == sizes[i]; --i) index[i] = 0;
  }
}

using Arrays = std::vector<Array>;
using Operation = std::function<Tensor(const std::vector<Tensor>&)>;
using Reference = std::function<Array(const Arrays&)>;

inline double weighted_sum(const Array& result, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * result.values[i];
  return sum;
}

inline std::vector<double> finite_differences(const Reference& reference, Arrays inputs, std::size_t which,
                                              const std::vector<double>& weights) {
  const double step = 1e-5;
  std::vector<double> gradient;
  for (double& value : inputs[which].values) {
    const double before = value;
    value = before + step;
    const double above = weighted_sum(reference(inputs), weights);
    value = before - step;
    const double below = weighted_sum(reference(inputs), weights);
    value = before;
    gradient.push_back((above - below) / (2 * step));
  }
  return gradient;
}

// Makes `inputs` leaves, and checks the result and, for a random gradient of the result, the gradient of each input.
inline void check_gradients(const std::string& name, std::vector<Tensor> inputs, const Operation& operation,
                            const Reference& reference, double tolerance = 1e-4) {
  Random random(7);
  Arrays arrays;
  for (Tensor& input : inputs) {
    arrays.emplace_back(input);
    input.requires_grad_();
  }
  const Tensor result = operation(inputs);
  const Array expected = reference(arrays);
  ASSERT_EQ(result.sizes(), expected.sizes) << name;
  expect_near(result, expected.values, tolerance, name);
  const Tensor weights = dense_random(result.sizes(), DType::f32, random, -1, 1);
  const std::vector<Tensor> gradients = grad({result}, inputs, {weights});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_EQ(gradients[i].sizes(), inputs[i].sizes()) << name;
    expect_near(gradients[i], finite_differences(reference, arrays, i, values_of(weights)), tolerance,
                text(name, ": gradient of argument ", i, " of ", inputs[i].sizes()));
  }
}

}  // namespace reprise::test
