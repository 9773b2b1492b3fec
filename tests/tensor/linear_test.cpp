// Products with fused bias and activation, against double precision.
#include "kernels/matrix/linear.h"

#include <gtest/gtest.h>
#include <reprise/autograd.h>
#include <reprise/ops.h>

#include <cmath>
#include <random>

#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"

using namespace reprise;

namespace {

std::mt19937 random_engine(11);

int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_engine); }

std::vector<float> numbers(std::int64_t count) {
  std::normal_distribution<float> normal;
  std::vector<float> made(static_cast<std::size_t>(count));
  for (float& value : made) value = normal(random_engine);
  return made;
}

void expect_near(const std::vector<float>& got, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i], 1e-4 * (1 + std::abs(expected[i]))) << what << ", element " << i;
}

struct Product {
  int rows, columns, terms;
  bool a_turned, b_turned;
  kernels::Activation activation;
  std::vector<float> a, b, bias;

  double left(int row, int term) const { return a[a_turned ? term * rows + row : row * terms + term]; }
  double right(int column, int term) const { return b[b_turned ? term * columns + column : column * terms + term]; }
  double activated(double x) const {
    if (activation == kernels::Activation::relu) return std::max(x, 0.0);
    return activation == kernels::Activation::gelu ? x * 0.5 * std::erfc(-x * std::sqrt(0.5)) : x;
  }
  // Before the activation, too.
  Product plain() const {
    Product p = *this;
    p.activation = kernels::Activation::none;
    return p;
  }
  std::vector<double> result() const {
    std::vector<double> c;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        double sum = bias[column];
        for (int term = 0; term < terms; ++term) sum += left(row, term) * right(column, term);
        c.push_back(activated(sum));
      }
    return c;
  }
  std::vector<double> row_sums() const {
    std::vector<double> sums(rows);
    for (int row = 0; row < rows; ++row)
      for (int term = 0; term < terms; ++term) sums[row] += left(row, term);
    return sums;
  }
};

Product random_product(int rows, int columns, int terms) {
  Product p{rows,
            columns,
            terms,
            number(0, 1) == 1,
            number(0, 1) == 1,
            kernels::Activation(number(0, 2)),
            numbers(rows * terms),
            numbers(columns * terms),
            numbers(columns)};
  return p;
}

void check_tiles(Product p, int parts) {
  const bool keeps = !p.a_turned && !p.b_turned;
  if (!keeps && p.activation == kernels::Activation::gelu) p.activation = kernels::Activation::relu;
  const Tensor a = kernels::from_vector(p.a), b = kernels::from_vector(p.b), bias = kernels::from_vector(p.bias);
  const Tensor c = kernels::full({p.rows, p.columns}, NAN), sums = kernels::full({p.rows}, NAN),
               before = kernels::full({p.rows, p.columns}, NAN);
  const kernels::TileProduct product{{a.data<float>(), p.a_turned ? p.rows : p.terms, p.a_turned},
                                     {b.data<float>(), p.b_turned ? p.columns : p.terms, p.b_turned},
                                     c.data<float>(),
                                     bias.data<float>(),
                                     sums.data<float>(),
                                     keeps ? before.data<float>() : nullptr,
                                     p.rows,
                                     p.columns,
                                     p.terms,
                                     p.activation};
  const std::string what = std::to_string(p.rows) + "x" + std::to_string(p.columns) + "x" + std::to_string(p.terms);
  ASSERT_TRUE(kernels::fits_tiles(product)) << what;
  kernels::tile_product("test", product, parts);
  expect_near(c.to_vector<float>(), p.result(), what);
  if (keeps) expect_near(before.to_vector<float>(), p.plain().result(), what + " before");
  expect_near(sums.to_vector<float>(), p.row_sums(), what + " row sums");
}

}  // namespace

// parts 0: on a GPU the terms are divided among the blocks of a cluster.
TEST(TileProduct, equals_double_precision) {
  for (int round = 0; round < 16; ++round) {
    const Product p = random_product(4 * number(1, 20), 4 * number(1, 40), 4 * number(1, 80));
    check_tiles(p, 1);
    check_tiles(p, 0);
  }
  for (int terms : {512, 1024}) check_tiles(random_product(64, 128, terms), 0);
}

TEST(FewRows, equal_double_precision) {
  for (int rows : {1, 2, 3, 4}) {
    for (int columns : {1, 10, 33}) {
      Product p = random_product(rows, columns, 4 * number(1, 100));
      p.a_turned = p.b_turned = false;
      const Tensor a = kernels::from_vector(p.a), b = kernels::from_vector(p.b), bias = kernels::from_vector(p.bias),
                   c = kernels::zeros({rows, columns});
      const kernels::TileProduct product{{a.data<float>(), p.terms, false},
                                         {b.data<float>(), p.terms, false},
                                         c.data<float>(),
                                         bias.data<float>(),
                                         nullptr,
                                         nullptr,
                                         rows,
                                         columns,
                                         p.terms,
                                         p.activation};
      ASSERT_TRUE(kernels::fits_few_rows(product));
      kernels::few_rows_product("test", product);
      expect_near(c.to_vector<float>(), p.result(), std::to_string(rows) + "x" + std::to_string(columns));
    }
  }
}

TEST(Linear, equals_double_precision_forward_and_backward) {
  for (auto [rows, in, out] : {std::array{1, 16, 8}, {64, 128, 96}, {5, 7, 3}, {32, 256, 10}}) {
    for (kernels::Activation activation :
         {kernels::Activation::none, kernels::Activation::relu, kernels::Activation::gelu}) {
      Product p{rows, out, in, false, false, activation, numbers(rows * in), numbers(out * in), numbers(out)};
      const std::string what = std::to_string(rows) + " rows, " + std::to_string(in) + " to " + std::to_string(out);
      const Tensor x = kernels::from_vector(p.a, {rows, in}), w = kernels::from_vector(p.b, {out, in}),
                   bias = kernels::from_vector(p.bias);
      expect_near(kernels::linear(x, w, bias, activation).to_vector<float>(), p.result(), what);
      const kernels::Activated both = kernels::linear_and_before(x, w, bias, activation);
      expect_near(both.y.to_vector<float>(), p.result(), what + " y");
      expect_near(both.before.to_vector<float>(), p.plain().result(), what + " before");
      if (activation != kernels::Activation::none) continue;
      const auto g = numbers(rows * out);
      const kernels::LinearGradients got =
          kernels::linear_backward(kernels::from_vector(g, {rows, out}), x, w, {true, true, true});
      const std::vector<float> none_in(in), none_out(out);
      // grad weight, grad^T x, and grad's column sums.
      expect_near(got.x.to_vector<float>(),
                  Product{rows, in, out, false, true, kernels::Activation::none, g, p.b, none_in}.result(),
                  what + " x");
      const Product weight{out, in, rows, true, true, kernels::Activation::none, g, p.a, none_in};
      expect_near(got.weight.to_vector<float>(), weight.result(), what + " weight");
      expect_near(got.bias.to_vector<float>(), weight.row_sums(), what + " bias");
    }
  }
}

TEST(Linear, takes_more_dimensions_and_other_types) {
  const Tensor x = kernels::ones({2, 3, 4}), w = kernels::ones({5, 4}), bias = kernels::ones({5});
  EXPECT_EQ(kernels::linear(x, w, bias).sizes(), (Sizes{2, 3, 5}));
  const Tensor half =
      kernels::linear(kernels::to(x, DType::f16), kernels::to(w, DType::f16), kernels::to(bias, DType::f16));
  EXPECT_EQ(half.dtype(), DType::f16);
  EXPECT_EQ(kernels::to(half, DType::f32).to_vector<float>(), std::vector<float>(30, 5));
}

TEST(Linear, takes_sixteen_bits_with_what_follows) {
  const Tensor x = kernels::from_vector<float>({1, -2, 3, 0.5f, 1, 1}, {2, 3}),
               w = kernels::from_vector<float>({1, 1, 1, -1, 0, 0.5f}, {2, 3});
  const Tensor bias = kernels::from_vector<float>({0.25f, -1});
  for (DType dtype : {DType::f16, DType::bf16}) {
    auto in_half = [&](const Tensor& all) { return kernels::to(all, dtype); };
    // Sums 2.25 and -0.5, 2.75 and -1: exact in either type.
    const kernels::Activated got =
        kernels::linear_and_before(in_half(x), in_half(w), in_half(bias), kernels::Activation::relu);
    EXPECT_EQ(got.y.dtype(), dtype);
    EXPECT_EQ(kernels::to(got.before, DType::f32).to_vector<float>(), (std::vector<float>{2.25f, -0.5f, 2.75f, -1}));
    EXPECT_EQ(kernels::to(got.y, DType::f32).to_vector<float>(), (std::vector<float>{2.25f, 0, 2.75f, 0}));
    const Tensor gelu =
        kernels::to(kernels::linear(in_half(x), in_half(w), in_half(bias), kernels::Activation::gelu), DType::f32);
    const std::vector<float> expected{2.2225f, -0.15427f, 2.7418f, -0.15866f};
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(gelu.to_vector<float>()[i], expected[i], dtype == DType::f16 ? 2e-3 : 2e-2) << i;
  }
}

// A layer without inputs gives its bias, which has a gradient.
TEST(Linear, takes_rows_without_features) {
  for (DType dtype : {DType::f16, DType::bf16, DType::f32}) {
    Tensor x = kernels::to(kernels::ones({4, 0}), dtype), w = kernels::to(kernels::ones({2, 0}), dtype),
           bias = kernels::to(kernels::full({2}, 3), dtype);
    w.requires_grad_();
    bias.requires_grad_();
    const Tensor y = linear(x, w, bias);
    EXPECT_EQ(kernels::to(y, DType::f32).to_vector<float>(), std::vector<float>(8, 3)) << dtype;
    y.backward(kernels::to(kernels::ones({4, 2}), dtype));
    EXPECT_EQ(kernels::to(bias.grad(), DType::f32).to_vector<float>(), std::vector<float>(2, 4)) << dtype;
    EXPECT_EQ(w.grad().sizes(), (Sizes{2, 0})) << dtype;
  }
}

// An empty batch computes nothing but is still recorded.
TEST(Linear, takes_sixteen_bits_without_rows) {
  for (DType dtype : {DType::f16, DType::bf16, DType::f32}) {
    Tensor x = kernels::to(kernels::ones({0, 3}), dtype), w = kernels::to(kernels::ones({2, 3}), dtype),
           bias = kernels::to(kernels::ones({2}), dtype);
    const kernels::Activated got = kernels::linear_and_before(x, w, bias, kernels::Activation::gelu);
    EXPECT_EQ(got.before.sizes(), (Sizes{0, 2}));
    EXPECT_FALSE(got.before.is_same(got.y)) << dtype;
    std::weak_ptr<TensorBody> result;
    w.requires_grad_();
    bias.requires_grad_();
    {
      const Tensor y = linear_gelu(x, w, bias);
      EXPECT_EQ(y.sizes(), (Sizes{0, 2}));
      result = y.shared_body();
    }
    EXPECT_TRUE(result.expired()) << "its own node keeps the result in " << dtype;
    linear_gelu(x, w, bias).backward(kernels::to(kernels::ones({0, 2}), dtype));
    EXPECT_EQ(kernels::to(w.grad(), DType::f32).to_vector<float>(), std::vector<float>(6, 0)) << dtype;
    EXPECT_EQ(kernels::to(bias.grad(), DType::f32).to_vector<float>(), std::vector<float>(2, 0)) << dtype;
  }
}
