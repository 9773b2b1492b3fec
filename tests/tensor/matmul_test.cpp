// Products of matrices against double precision.
#include "kernels/matrix/matmul.h"

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

// The product of contiguous [batch, rows, depth] and [batch, depth, columns].
std::vector<double> product_of(const std::vector<double>& a, const std::vector<double>& b, std::int64_t rows,
                               std::int64_t depth, std::int64_t columns) {
  std::size_t batch = rows * depth ? a.size() / (rows * depth) : 0;
  std::vector<double> out(batch * rows * columns);
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t column = i % columns, row = i / columns % rows, each = i / (rows * columns);
    for (std::int64_t k = 0; k < depth; ++k)
      out[i] += a[(each * rows + row) * depth + k] * b[(each * depth + k) * columns + column];
  }
  return out;
}

Sizes with_matrix(Sizes batch, std::int64_t rows, std::int64_t columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

}  // namespace

TEST(Matmul, batches_of_any_strides_agree_with_double_precision) {
  Random random(1);
  constexpr DType types[] = {DType::f32, DType::f32, DType::f16, DType::bf16};
  for (int round = 0; round < 300; ++round) {
    DType dtype = types[up_to(random, 3)];
    std::int64_t rows = 1 + up_to(random, 8), depth = 1 + up_to(random, 8), columns = 1 + up_to(random, 8);
    Sizes batch = random_sizes(random, 2, 4), a_batch = broadcast_from(batch, random),
          b_batch = broadcast_from(batch, random);
    if (round % 3 == 0) b_batch = {};
    Tensor a = random_tensor(with_matrix(a_batch, rows, depth), dtype, random);
    Tensor b = random_tensor(with_matrix(b_batch, depth, columns), dtype, random);
    Tensor result = kernels::matmul(a, b);
    Sizes all = broadcast(a_batch, b_batch, "test");
    ASSERT_EQ(result.sizes(), with_matrix(all, rows, columns));
    std::vector<double> expected =
        product_of(values_of(kernels::expand(a, with_matrix(all, rows, depth))),
                   values_of(kernels::expand(b, with_matrix(all, depth, columns))), rows, depth, columns);
    ASSERT_NO_FATAL_FAILURE(expect_near(result, expected, 4 * tolerance(dtype),
                                        text(dtype, a.sizes(), a.strides(), " by ", b.sizes(), b.strides())));
  }
}

TEST(Matmul, results_are_added_to_outputs_of_any_strides) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    std::int64_t rows = 1 + up_to(random, 8), depth = up_to(random, 8), columns = 1 + up_to(random, 8);
    Tensor a = random_tensor({rows, depth}, DType::f32, random),
           b = random_tensor({depth, columns}, DType::f32, random);
    Tensor out = dense_random({rows + 1, columns + 2}, DType::f32, random, -1, 1);
    out = round % 3
              ? kernels::narrow(kernels::narrow(out, 0, 1, rows), 1, 1, columns)
              : kernels::transpose(
                    kernels::contiguous(kernels::narrow(kernels::narrow(out, 0, 1, rows), 1, 1, columns).t()), 0, 1);
    std::vector<double> expected = product_of(values_of(a), values_of(b), rows, depth, columns),
                        before = values_of(out);
    expected.resize(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) expected[i] = 2 * expected[i] + 0.5 * before[i];
    kernels::matmul_out(out, a, b, 2, 0.5);
    ASSERT_NO_FATAL_FAILURE(
        expect_near(out, expected, 1e-5, text(a.sizes(), " by ", b.sizes(), " into strides ", out.strides())));
  }
}

TEST(Matmul, vectors_are_rows_on_the_left_and_columns_on_the_right) {
  Tensor v = kernels::from_vector(std::vector<float>{1, 2, 3}),
         m = kernels::from_vector(std::vector<float>{1, 2, 3, 4, 5, 6}, {3, 2});
  EXPECT_EQ(kernels::matmul(v, v).item<float>(), 14);
  EXPECT_EQ(kernels::matmul(v, v).dim(), 0);
  EXPECT_EQ(kernels::matmul(v, m).to_vector<float>(), (std::vector<float>{22, 28}));
  EXPECT_EQ(kernels::matmul(m.t(), v).to_vector<float>(), (std::vector<float>{22, 28}));
  EXPECT_EQ(kernels::matmul(v, kernels::expand(m, {4, 3, 2})).sizes(), (Sizes{4, 2}));
}

TEST(Matmul, large_products_have_full_single_precision) {
  Random random(3);
  Tensor a = dense_random({65, 700}, DType::f32, random, -1, 1),
         b = dense_random({129, 700}, DType::f32, random, -1, 1);
  // TF32 would be wrong by about 1e-2 here.
  expect_near(kernels::matmul(a, b.t()), product_of(values_of(a), values_of(kernels::contiguous(b.t())), 65, 700, 129),
              2e-5, "65x700x129");
}

TEST(Matmul, products_without_depth_are_zero) {
  EXPECT_EQ(kernels::matmul(kernels::zeros({2, 0}), kernels::zeros({0, 2})).to_vector<float>(),
            (std::vector<float>(4)));
  EXPECT_EQ(kernels::matmul(kernels::zeros({0, 3}), kernels::zeros({3, 2})).sizes(), (Sizes{0, 2}));
}

TEST(Matmul, errors_name_the_operation_and_the_sizes) {
  Tensor x = kernels::zeros({2, 3}), whole = kernels::zeros({3, 2}, DType::i64);
  EXPECT_EQ(error_of([&] { kernels::matmul(x, x); }), "matmul: [2, 3] by [2, 3]: 3 columns meet 2 rows");
  EXPECT_EQ(error_of([&] { kernels::matmul(x, whole); }),
            "matmul: f32 [2, 3] by i64 [3, 2]: the types differ; convert one with to()");
  EXPECT_EQ(error_of([&] { kernels::matmul(whole, whole.t()); }),
            "matmul: i64 [3, 2] by i64 [2, 3]: matrices of i64 are not supported; convert them with to()");
  EXPECT_EQ(error_of([&] { kernels::matmul(kernels::zeros({2, 2, 3}), kernels::zeros({3, 3, 2})); }),
            "matmul: [2, 2, 3] by [3, 3, 2]: the batches [2] and [3] do not broadcast");
  EXPECT_EQ(error_of([&] { kernels::matmul(kernels::zeros({}), x); }),
            "matmul: [] by [2, 3]: both must have at least one dimension");
}
