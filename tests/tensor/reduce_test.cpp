// Reductions against double precision, on random shapes, strides, types and dimensions.
#include "kernels/reduction/reduce.h"

#include <functional>
#include <numeric>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

// The elements of `x` for each result, in order of the results.
std::vector<std::vector<double>> groups(const Tensor& x, const Sizes& dims) {
  Sizes kept, order;
  for (int i = 0; i < x.dim(); ++i) {
    bool goes = dims.empty();
    for (std::int64_t dim : dims) goes = goes || wrap_dimension(dim, x.sizes(), "test") == i;
    if (!goes) kept.push_back(i);
  }
  order = kept;
  for (int i = 0; i < x.dim(); ++i) {
    if (std::find(kept.begin(), kept.end(), i) == kept.end()) order.push_back(i);
  }
  std::int64_t results = 1;
  for (std::int64_t dim : kept) results *= x.size(dim);
  std::vector<double> values = values_of(kernels::permute(x, order));
  std::vector<std::vector<double>> all(static_cast<std::size_t>(results));
  std::size_t each = results ? values.size() / all.size() : 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].assign(values.begin() + i * each, values.begin() + (i + 1) * each);
  return all;
}

struct Kind {
  const char* name;
  Tensor (*reduce)(const Tensor&, const Sizes&, bool);
  double (*reference)(const std::vector<double>&);
};

double total(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

const Kind kinds[] = {
    {"sum", kernels::sum, total},
    {"mean", kernels::mean, [](const std::vector<double>& values) { return total(values) / values.size(); }},
    {"prod", kernels::prod,
     [](const std::vector<double>& values) {
       return std::accumulate(values.begin(), values.end(), 1.0, std::multiplies<>());
     }},
    {"max", kernels::max,
     [](const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }},
    {"min", kernels::min,
     [](const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }},
    {"any", kernels::any,
     [](const std::vector<double>& values) {
       return double(std::any_of(values.begin(), values.end(), [](double v) { return v != 0; }));
     }},
    {"all", kernels::all,
     [](const std::vector<double>& values) {
       return double(std::all_of(values.begin(), values.end(), [](double v) { return v != 0; }));
     }},
};

Sizes random_dimensions(int dims, Random& random) {
  Sizes chosen;
  for (int i = 0; i < dims; ++i) {
    if (up_to(random, 1)) chosen.push_back(up_to(random, 1) ? i : i - dims);
  }
  std::shuffle(chosen.begin(), chosen.end(), random);
  return chosen;
}

void expect_reduction(const Kind& kind, const Tensor& x, const Sizes& dims, bool keep) {
  Tensor result = kind.reduce(x, dims, keep);
  std::vector<double> expected;
  double most = 1;
  for (const std::vector<double>& group : groups(x, dims)) {
    expected.push_back(kind.reference(group));
    most = std::max(most, std::sqrt(group.size()));
  }
  expect_near(result, expected, tolerance(result.dtype()) * most,
              text(kind.name, " of ", x.dtype(), x.sizes(), x.strides(), " over ", dims));
}

}  // namespace

TEST(Reduce, agrees_with_double_precision) {
  Random random(1);
  constexpr DType types[] = {DType::f32, DType::f16, DType::bf16, DType::i64, DType::boolean};
  for (const Kind& kind : kinds) {
    for (int round = 0; round < 60; ++round) {
      DType dtype = types[up_to(random, kind.reduce == kernels::mean ? 2 : 4)];
      Tensor x = random_tensor(random_sizes(random, 4, 6), dtype, random, -1.5, 1.5);
      ASSERT_NO_FATAL_FAILURE(expect_reduction(kind, x, random_dimensions(x.dim(), random), up_to(random, 1)));
    }
  }
}

TEST(Reduce, agrees_on_large_tensors) {
  Random random(2);
  for (const Sizes& sizes : {Sizes{100003}, Sizes{3, 20000}, Sizes{20000, 3}, Sizes{700, 300}, Sizes{2, 3000, 5},
                             Sizes{8, 16, 900}, Sizes{65, 64}}) {
    Tensor x = dense_random(sizes, DType::f32, random, -1, 1);
    for (const Kind& kind : {kinds[0], kinds[1], kinds[3]}) {
      ASSERT_NO_FATAL_FAILURE(expect_reduction(kind, x, {}, false));
      for (int dim = 0; dim < x.dim(); ++dim) ASSERT_NO_FATAL_FAILURE(expect_reduction(kind, x, {dim}, false));
    }
    if (x.dim() == 3) ASSERT_NO_FATAL_FAILURE(expect_reduction(kinds[0], x, {0, 2}, false));
  }
}

TEST(Reduce, keeps_dimensions_when_asked) {
  Tensor x = kernels::ones({2, 3, 4});
  EXPECT_EQ(kernels::sum(x, {1}).sizes(), (Sizes{2, 4}));
  EXPECT_EQ(kernels::sum(x, {-2}, true).sizes(), (Sizes{2, 1, 4}));
  EXPECT_EQ(kernels::sum(x).sizes(), Sizes());
  EXPECT_EQ(kernels::sum(x).item<float>(), 24);
}

TEST(Reduce, nothing_sums_to_zero) {
  EXPECT_EQ(kernels::sum(kernels::zeros({0})).item<float>(), 0);
  EXPECT_EQ(kernels::prod(kernels::zeros({3, 0}), {1}).to_vector<float>(), (std::vector<float>{1, 1, 1}));
  EXPECT_TRUE(std::isnan(kernels::mean(kernels::zeros({0})).item<float>()));
}

TEST(Reduce, not_a_number_is_the_largest_and_the_smallest) {
  Tensor x = kernels::from_vector(std::vector<float>{1, NAN, 3});
  EXPECT_TRUE(std::isnan(kernels::max(x).item<float>()));
  EXPECT_TRUE(std::isnan(kernels::min(x).item<float>()));
  EXPECT_EQ(kernels::argmax(x).item<int>(), 1);
}

TEST(Reduce, argmax_is_the_first_of_the_largest) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    Sizes sizes = random_sizes(random, 3, 5);
    sizes.push_back(round % 10 ? 1 + up_to(random, 8) : 700);
    Tensor x = random_tensor(sizes, round % 2 ? DType::i64 : DType::f32, random, -3, 3);
    int dim = up_to(random, x.dim() - 1);
    std::vector<double> largest, smallest;
    for (const std::vector<double>& group : groups(x, {dim})) {
      largest.push_back(static_cast<double>(std::max_element(group.begin(), group.end()) - group.begin()));
      smallest.push_back(static_cast<double>(std::min_element(group.begin(), group.end()) - group.begin()));
    }
    ASSERT_NO_FATAL_FAILURE(expect_near(kernels::argmax(x, dim), largest, 0, "argmax"));
    ASSERT_NO_FATAL_FAILURE(expect_near(kernels::argmin(x, dim), smallest, 0, "argmin"));
  }
}

TEST(Reduce, sum_to_undoes_broadcasting) {
  Random random(4);
  for (int round = 0; round < 100; ++round) {
    Sizes sizes = random_sizes(random), from = broadcast_from(sizes, random);
    Tensor grad = random_tensor(sizes, DType::f32, random);
    // The sum of what went to each element: by adding the values one after another.
    Tensor numbers = kernels::expand(kernels::arange(0, double(product(from))).view(from), sizes);
    std::vector<double> expected(static_cast<std::size_t>(product(from))), values = values_of(grad),
                                                                           to = values_of(numbers);
    for (std::size_t i = 0; i < values.size(); ++i) expected[static_cast<std::size_t>(to[i])] += values[i];
    Tensor result = kernels::sum_to(grad, from);
    ASSERT_EQ(result.sizes(), from);
    ASSERT_NO_FATAL_FAILURE(expect_near(result, expected, 1e-5, text("sum_to ", from, " of ", sizes)));
  }
}

TEST(Reduce, errors_name_the_operation_and_the_sizes) {
  Tensor x = kernels::zeros({2, 3});
  EXPECT_EQ(error_of([&] { kernels::sum(x, {2}); }), "sum: there is no dimension 2 in a tensor of [2, 3]");
  EXPECT_EQ(error_of([&] { kernels::sum(x, {1, -1}); }), "sum: dimension 1 of [2, 3] is named twice in [1, -1]");
  EXPECT_EQ(error_of([&] { kernels::max(kernels::zeros({0, 2}), {0}); }),
            "max: there is nothing to choose from in [0, 2]");
  EXPECT_EQ(error_of([&] { kernels::mean(kernels::zeros({2}, DType::i64)); }),
            "mean: a tensor of i64 [2] has no mean of its own type; convert it with to()");
}
