// Every elementwise operation against double precision, on random shapes, strides and types.
#include "kernels/elementwise/elementwise.h"

#include <reprise/factories.h>
#include <reprise/mem_pool.h>
#include <reprise/ops.h>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;
using kernels::BinaryOp;
using kernels::TernaryOp;
using kernels::UnaryOp;

namespace {

constexpr DType all_types[] = {DType::f32, DType::f16, DType::bf16, DType::i64, DType::boolean};
constexpr DType floating_types[] = {DType::f32, DType::f16, DType::bf16};

double cdf(double x) { return 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }
double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }

struct Binary {
  const char* name;
  BinaryOp op;
  double (*reference)(double, double);
  double p, low, high;
  bool whole;  // also for integers
};

const Binary binaries[] = {
    {"add", BinaryOp::add, [](double a, double b) { return a + b; }, 1, -2, 2, true},
    {"sub", BinaryOp::add, [](double a, double b) { return a - b; }, -1, -2, 2, true},
    {"mul", BinaryOp::mul, [](double a, double b) { return a * b; }, 0, -2, 2, true},
    {"div", BinaryOp::div, [](double a, double b) { return a / b; }, 0, 1, 3, true},
    {"pow", BinaryOp::pow, [](double a, double b) { return std::pow(a, b); }, 0, 0.5, 2, true},
    {"minimum", BinaryOp::minimum, [](double a, double b) { return std::min(a, b); }, 0, -2, 2, true},
    {"maximum", BinaryOp::maximum, [](double a, double b) { return std::max(a, b); }, 0, -2, 2, true},
    {"remainder", BinaryOp::remainder, [](double a, double b) { return a - b * std::floor(a / b); }, 0, 1, 3, false},
    {"fmod", BinaryOp::fmod, [](double a, double b) { return std::fmod(a, b); }, 0, 1, 3, false},
    {"floor_divide", BinaryOp::floor_divide, [](double a, double b) { return std::floor(a / b); }, 0, 1, 3, false},
    {"eq", BinaryOp::eq, [](double a, double b) { return double(a == b); }, 0, -2, 2, true},
    {"ne", BinaryOp::ne, [](double a, double b) { return double(a != b); }, 0, -2, 2, true},
    {"lt", BinaryOp::lt, [](double a, double b) { return double(a < b); }, 0, -2, 2, true},
    {"le", BinaryOp::le, [](double a, double b) { return double(a <= b); }, 0, -2, 2, true},
    {"gt", BinaryOp::gt, [](double a, double b) { return double(a > b); }, 0, -2, 2, true},
    {"ge", BinaryOp::ge, [](double a, double b) { return double(a >= b); }, 0, -2, 2, true},
    {"same", BinaryOp::same, [](double a, double b) { return double(a == b); }, 0, -2, 2, true},
    {"logical_and", BinaryOp::logical_and, [](double a, double b) { return double(a && b); }, 0, -2, 2, true},
    {"logical_or", BinaryOp::logical_or, [](double a, double b) { return double(a || b); }, 0, -2, 2, true},
    {"logical_xor", BinaryOp::logical_xor, [](double a, double b) { return double(!a != !b); }, 0, -2, 2, true},
    {"relu_backward", BinaryOp::relu_backward, [](double a, double b) { return b > 0 ? a : 0; }, 0, -2, 2, false},
    {"tanh_backward", BinaryOp::tanh_backward, [](double a, double b) { return a * (1 - b * b); }, 0, -1, 1, false},
    {"sigmoid_backward", BinaryOp::sigmoid_backward, [](double a, double b) { return a * b * (1 - b); }, 0, 0, 1,
     false},
    {"gelu_backward", BinaryOp::gelu_backward, [](double a, double b) { return a * (cdf(b) + b * density(b)); }, 0, -3,
     3, false},
    {"at_least_backward", BinaryOp::at_least_backward, [](double a, double b) { return b >= 0.5 ? a : 0; }, 0.5, -2, 2,
     false},
    {"at_most_backward", BinaryOp::at_most_backward, [](double a, double b) { return b <= 0.5 ? a : 0; }, 0.5, -2, 2,
     false},
};
static_assert(std::size(binaries) == static_cast<std::size_t>(BinaryOp::count) + 1, "");  // sub is add with another p

struct Unary {
  const char* name;
  UnaryOp op;
  double (*reference)(double);
  double low, high;
  bool whole;
};

// p is 0.5 and q is 1.5 for f32; 1 and 2 for integers.
const Unary unaries[] = {
    {"neg", UnaryOp::neg, [](double a) { return -a; }, -2, 2, true},
    {"abs", UnaryOp::abs, [](double a) { return std::abs(a); }, -2, 2, true},
    {"sign", UnaryOp::sign, [](double a) { return double(a > 0) - double(a < 0); }, -2, 2, true},
    {"reciprocal", UnaryOp::reciprocal, [](double a) { return 1 / a; }, 1, 3, true},
    {"square", UnaryOp::square, [](double a) { return a * a; }, -2, 2, true},
    {"relu", UnaryOp::relu, [](double a) { return std::max(a, 0.0); }, -2, 2, true},
    {"clamp", UnaryOp::clamp, [](double a) { return std::min(std::max(a, 0.5), 1.5); }, -2, 2, false},
    {"subtract_from", UnaryOp::subtract_from, [](double a) { return 0.5 - a; }, -2, 2, false},
    {"floor", UnaryOp::floor, [](double a) { return std::floor(a); }, -2, 2, true},
    {"ceil", UnaryOp::ceil, [](double a) { return std::ceil(a); }, -2, 2, true},
    {"round", UnaryOp::round, [](double a) { return std::nearbyint(a); }, -2, 2, true},
    {"trunc", UnaryOp::trunc, [](double a) { return std::trunc(a); }, -2, 2, true},
    {"exp", UnaryOp::exp, [](double a) { return std::exp(a); }, -2, 2, true},
    {"log", UnaryOp::log, [](double a) { return std::log(a); }, 1, 3, true},
    {"sqrt", UnaryOp::sqrt, [](double a) { return std::sqrt(a); }, 0, 3, true},
    {"rsqrt", UnaryOp::rsqrt, [](double a) { return 1 / std::sqrt(a); }, 1, 3, true},
    {"sin", UnaryOp::sin, [](double a) { return std::sin(a); }, -9, 9, true},
    {"cos", UnaryOp::cos, [](double a) { return std::cos(a); }, -9, 9, true},
    {"tanh", UnaryOp::tanh, [](double a) { return std::tanh(a); }, -9, 9, true},
    {"sigmoid", UnaryOp::sigmoid, [](double a) { return 1 / (1 + std::exp(-a)); }, -9, 9, true},
    {"gelu", UnaryOp::gelu, [](double a) { return a * cdf(a); }, -3, 3, true},
    {"tan", UnaryOp::tan, [](double a) { return std::tan(a); }, -1, 1, true},
    {"asin", UnaryOp::asin, [](double a) { return std::asin(a); }, -1, 1, true},
    {"acos", UnaryOp::acos, [](double a) { return std::acos(a); }, -1, 1, true},
    {"atan", UnaryOp::atan, [](double a) { return std::atan(a); }, -9, 9, true},
    {"sinh", UnaryOp::sinh, [](double a) { return std::sinh(a); }, -2, 2, true},
    {"cosh", UnaryOp::cosh, [](double a) { return std::cosh(a); }, -2, 2, true},
    {"log1p", UnaryOp::log1p, [](double a) { return std::log1p(a); }, 0, 3, true},
    {"expm1", UnaryOp::expm1, [](double a) { return std::expm1(a); }, -2, 2, true},
    {"erf", UnaryOp::erf, [](double a) { return std::erf(a); }, -3, 3, true},
    {"divide", UnaryOp::divide, [](double a) { return 0.5 / a; }, 1, 3, false},
    {"power_of", UnaryOp::power_of, [](double a) { return std::pow(0.5, a); }, -2, 2, false},
    {"logical_not", UnaryOp::logical_not, [](double a) { return double(!a); }, -2, 2, true},
    {"is_finite", UnaryOp::is_finite, [](double a) { return double(std::isfinite(a)); }, -2, 2, true},
    {"is_nan", UnaryOp::is_nan, [](double a) { return double(std::isnan(a)); }, -2, 2, true},
};
static_assert(std::size(unaries) == static_cast<std::size_t>(UnaryOp::count), "");

std::vector<double> expanded(const Tensor& x, const Sizes& sizes) { return values_of(kernels::expand(x, sizes)); }

}  // namespace

TEST(Elementwise, binary_operations_agree_with_double_precision) {
  Random random(1);
  for (const Binary& each : binaries) {
    for (int round = 0; round < 60; ++round) {
      const auto& types = all_types;
      DType a_type = types[up_to(random, each.whole ? 4 : 2)],
            b_type = up_to(random, 1) ? a_type : types[up_to(random, each.whole ? 4 : 2)];
      if (up_to(random, 2) == 0) a_type = b_type = DType::f32;
      Sizes sizes = random_sizes(random, 4, up_to(random, 3) ? 7 : 20);
      bool broadcasts = up_to(random, 1);
      Tensor a = random_tensor(broadcasts ? broadcast_from(sizes, random) : sizes, a_type, random, each.low, each.high);
      Tensor b = random_tensor(broadcasts ? broadcast_from(sizes, random) : sizes, b_type, random, each.low, each.high);
      // A division of booleans has no boolean result.
      if (each.op == BinaryOp::div && b_type == DType::boolean) continue;
      Tensor result = kernels::binary(each.op, a, b, each.p);
      if (result.dtype() == DType::boolean && each.op <= BinaryOp::maximum) continue;  // true + true is true
      std::vector<double> left = expanded(a, result.sizes()), right = expanded(b, result.sizes()),
                          expected(left.size());
      for (std::size_t i = 0; i < left.size(); ++i) expected[i] = each.reference(left[i], right[i]);
      ASSERT_NO_FATAL_FAILURE(expect_near(
          result, expected, 3 * tolerance(result.dtype()),
          text(each.name, " of ", a_type, a.sizes(), a.strides(), " and ", b_type, b.sizes(), b.strides())));
    }
  }
}

TEST(Elementwise, operations_with_a_number_agree_with_double_precision) {
  Random random(2);
  for (const Binary& each : binaries) {
    for (int round = 0; round < 20; ++round) {
      DType dtype = all_types[up_to(random, each.whole ? 3 : 2)];
      Tensor a = random_tensor(random_sizes(random), dtype, random, each.low, each.high);
      double number = std::uniform_real_distribution<double>(each.low, each.high)(random);
      number = dtype == DType::i64 ? std::round(number) : static_cast<float>(number);
      Tensor result = dtype == DType::i64 ? kernels::binary(each.op, a, static_cast<int>(number), each.p)
                                          : kernels::binary(each.op, a, number, each.p);
      std::vector<double> expected = values_of(a);
      for (double& value : expected) value = each.reference(value, number);
      ASSERT_NO_FATAL_FAILURE(expect_near(result, expected, 3 * tolerance(result.dtype()),
                                          text(each.name, " of ", dtype, a.sizes(), " and ", number)));
    }
  }
}

TEST(Elementwise, unary_operations_agree_with_double_precision) {
  Random random(3);
  for (const Unary& each : unaries) {
    for (int round = 0; round < 30; ++round) {
      DType dtype = all_types[up_to(random, each.whole ? 3 : 2)];
      if (up_to(random, 2) == 0) dtype = DType::f32;
      Tensor a = random_tensor(random_sizes(random, 4, 9), dtype, random, each.low, each.high);
      Tensor result = kernels::unary(each.op, a, 0.5, 1.5);
      std::vector<double> expected = values_of(a);
      for (double& value : expected) value = each.reference(value);
      ASSERT_NO_FATAL_FAILURE(expect_near(result, expected, 3 * tolerance(result.dtype()),
                                          text(each.name, " of ", dtype, a.sizes(), a.strides())));
    }
  }
}

TEST(Elementwise, ternary_operations_agree_with_double_precision) {
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    Sizes sizes = random_sizes(random);
    bool broadcasts = up_to(random, 1);
    auto operand = [&](DType dtype, double low) {
      return random_tensor(broadcasts ? broadcast_from(sizes, random) : sizes, dtype, random, low, low + 2);
    };
    TernaryOp op = static_cast<TernaryOp>(up_to(random, 3));
    DType dtype = up_to(random, 1) ? DType::f32 : floating_types[up_to(random, 2)];
    Tensor a = operand(op == TernaryOp::where ? DType::boolean : dtype, -1), b = operand(dtype, -1),
           c = operand(dtype, 1);
    Tensor result = kernels::ternary(op, a, b, c, 0.75);
    std::vector<double> x = expanded(a, result.sizes()), y = expanded(b, result.sizes()),
                        z = expanded(c, result.sizes()), expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      double results[] = {x[i] ? y[i] : z[i],
                          x[i] + 0.75 * y[i] * z[i],
                          x[i] + 0.75 * y[i] / z[i],
                          x[i] + z[i] * (y[i] - x[i]),
                          y[i] < z[i]    ? 0
                          : y[i] == z[i] ? x[i] / 2
                                         : x[i],
                          y[i] > z[i]    ? 0
                          : y[i] == z[i] ? x[i] / 2
                                         : x[i]};
      expected[i] = results[static_cast<int>(op)];
    }
    ASSERT_NO_FATAL_FAILURE(expect_near(result, expected, 4 * tolerance(dtype),
                                        text("operation ", static_cast<int>(op), " of ", dtype, sizes)));
  }
}

TEST(Elementwise, in_place_operations_write_through_views) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    Sizes sizes = random_sizes(random, 3, 12);
    sizes.push_back(1 + up_to(random, 30));
    Tensor whole = dense_random(sizes, all_types[up_to(random, 3)], random, -4, 4);
    Tensor part =
        kernels::transpose(kernels::narrow(whole, -1, 0, 1 + up_to(random, static_cast<int>(sizes.back()) - 1)), 0, -1);
    Tensor other = random_tensor(broadcast_from(part.sizes(), random), whole.dtype(), random);
    std::vector<double> expected = values_of(part), right = expanded(other, part.sizes());
    for (std::size_t i = 0; i < right.size(); ++i) expected[i] = expected[i] + right[i];
    kernels::add_(part, other);
    ASSERT_NO_FATAL_FAILURE(
        expect_near(part, expected, 3 * tolerance(whole.dtype()), text("add_ to ", part.sizes(), part.strides())));
  }
}

TEST(Elementwise, methods_change_a_tensor_in_place) {
  Tensor x = kernels::from_vector(std::vector<float>{1, 2, 3, 4}, {2, 2}),
         row = kernels::from_vector(std::vector<float>{10, 20});
  const void* data = x.data();
  x.add_(row).sub_(1).mul_(row).div_(2.0).add_(row, -0.5);
  EXPECT_EQ(x.to_vector<float>(), (std::vector<float>{45, 200, 55, 220}));
  EXPECT_EQ(x.mul_(x).data(), data);
  x.select(0, 1).normal_(100, 0.001);
  EXPECT_EQ(x.select(0, 0).to_vector<float>(), (std::vector<float>{45 * 45, 200 * 200}));
  EXPECT_NEAR(x.select(0, 1).to_vector<float>()[1], 100, 1);
  x.requires_grad_();
  EXPECT_NE(error_of([&] { x.add_(row); }).find("add_ into a tensor of shape [2, 2] that requires gradients"),
            std::string::npos);
}

// The result is as if the operand were read completely before anything is written.
TEST(Elementwise, in_place_operations_read_a_part_of_the_same_memory_first) {
  constexpr std::int64_t n = 1500;
  const Tensor numbers = reprise::arange(0, n, 1, DType::f32);
  Tensor x = numbers.clone();
  x.narrow(0, 1, n - 1).copy_(x.narrow(0, 0, n - 1));
  EXPECT_EQ(x.narrow(0, 1, n - 1).to_vector<float>(), numbers.narrow(0, 0, n - 1).to_vector<float>());
  x = numbers.clone();
  x.narrow(0, 1, n - 1).add_(x.narrow(0, 0, n - 1));
  EXPECT_EQ(x.narrow(0, 1, 3).to_vector<float>(), (std::vector<float>{1, 3, 5}));
  EXPECT_EQ(x.select(0, n - 1).item<float>(), 2 * n - 3);
  x = numbers.clone();
  x.mul_(x.narrow(0, 2, 1));
  EXPECT_EQ(x.narrow(0, 0, 4).to_vector<float>(), (std::vector<float>{0, 2, 4, 6}));
  x = reprise::arange(0, 40 * 40, 1, DType::f32).view({40, 40});
  const std::vector<float> turned = x.t().contiguous().to_vector<float>();
  x.copy_(x.t());
  EXPECT_EQ(x.to_vector<float>(), turned);
  // The same elements, or elements between them, need no copy.
  x = numbers.clone();
  x.sub_(x);
  EXPECT_EQ(reprise::sum(x).item<float>(), 0);
  const std::size_t peak = memory_statistics().live;
  reset_peak_memory_statistics();
  x.narrow(0, 0, 700).div_(x.narrow(0, 700, 700));
  EXPECT_EQ(memory_statistics().peak_live, peak);
}

TEST(Elementwise, large_tensors_take_the_same_values) {
  Random random(6);
  Tensor a = dense_random({300, 1000}, DType::f32, random, -2, 2),
         row = dense_random({1000}, DType::f32, random, -2, 2);
  Tensor column = dense_random({300, 1}, DType::f32, random, -2, 2);
  std::vector<double> x = values_of(a), y = values_of(row), z = values_of(column), expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = (x[i] + y[i % 1000]) * z[i / 1000];
  expect_near(kernels::mul(kernels::add(a, row), column), expected, 1e-5, "(a + row) * column");
  expect_near(kernels::mul(column, kernels::add(row, a)), expected, 1e-5, "column * (row + a)");
  Tensor across = kernels::transpose(kernels::clone(kernels::transpose(a, 0, 1)), 0, 1);
  expect_near(kernels::mul(kernels::add(across, row), column), expected, 1e-5, "the same across memory");
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = z[i / 1000] - x[i];
  expect_near(kernels::sub(column, across), expected, 1e-5, "column - a");
}

TEST(Elementwise, types_are_promoted) {
  auto of = [](DType dtype) { return kernels::ones({2}, dtype); };
  EXPECT_EQ(kernels::add(of(DType::f16), of(DType::bf16)).dtype(), DType::f32);
  EXPECT_EQ(kernels::add(of(DType::i64), of(DType::f16)).dtype(), DType::f16);
  EXPECT_EQ(kernels::add(of(DType::boolean), of(DType::i64)).dtype(), DType::i64);
  EXPECT_EQ(kernels::div(of(DType::i64), of(DType::i64)).dtype(), DType::f32);
  EXPECT_EQ(kernels::add(of(DType::i64), 1).dtype(), DType::i64);
  EXPECT_EQ(kernels::add(of(DType::i64), 0.5).dtype(), DType::f32);
  EXPECT_EQ(kernels::add(of(DType::f16), 0.5).dtype(), DType::f16);
  EXPECT_EQ(kernels::exp(of(DType::i64)).dtype(), DType::f32);
  EXPECT_EQ(kernels::lt(of(DType::f16), 1).dtype(), DType::boolean);
}

TEST(Elementwise, large_integers_keep_every_digit) {
  std::int64_t large = (std::int64_t(1) << 53) + 1;
  Tensor x = kernels::from_vector(std::vector<std::int64_t>{large, -large});
  EXPECT_EQ(kernels::add(x, 1).to_vector<std::int64_t>(), (std::vector<std::int64_t>{large + 1, -large + 1}));
  EXPECT_EQ(kernels::mul(x, x.select(0, 0)).select(0, 1).item<std::int64_t>(),
            std::int64_t(-(std::uint64_t(large) * std::uint64_t(large))));
}

TEST(Elementwise, empty_tensors_are_unchanged) {
  Tensor nothing = kernels::zeros({0, 3});
  EXPECT_EQ(kernels::add(nothing, kernels::ones({3})).sizes(), (Sizes{0, 3}));
  EXPECT_EQ(kernels::exp(nothing).numel(), 0);
}

// Operands with the same strides that are not contiguous.
TEST(Elementwise, operands_with_equal_strides_that_are_not_contiguous) {
  const Tensor a = kernels::from_vector(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3}), b = kernels::mul(a, 10.0);
  const std::vector<float> sums = {11, 44, 22, 55, 33, 66};
  EXPECT_EQ(kernels::add(a.t(), b.t()).to_vector<float>(), sums);
  EXPECT_EQ(kernels::relu(a.t()).to_vector<float>(), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(kernels::add(a.narrow(1, 0, 2), b.narrow(1, 0, 2)).to_vector<float>(),
            (std::vector<float>{11, 22, 44, 55}));
  EXPECT_EQ(kernels::mul(a.narrow(1, 1, 2), 2.0).to_vector<float>(), (std::vector<float>{4, 6, 10, 12}));
  const Tensor row = kernels::expand(a.select(0, 0), {2, 3});
  EXPECT_EQ(kernels::add(row, row).to_vector<float>(), (std::vector<float>{2, 4, 6, 2, 4, 6}));
  kernels::add_(a.narrow(1, 0, 2), b.narrow(1, 0, 2));
  EXPECT_EQ(a.to_vector<float>(), (std::vector<float>{11, 22, 3, 44, 55, 6}));
}

TEST(Elementwise, errors_name_the_operation_and_the_sizes) {
  Tensor x = kernels::zeros({2, 3}), y = kernels::zeros({4});
  EXPECT_EQ(error_of([&] { kernels::mul(x, y); }), "mul: sizes [2, 3] and [4] do not broadcast");
  EXPECT_EQ(error_of([&] { kernels::add(x, y); }), "add: sizes [2, 3] and [4] do not broadcast");
  EXPECT_EQ(error_of([&] { kernels::sub(x, y); }), "sub: sizes [2, 3] and [4] do not broadcast");
  EXPECT_EQ(error_of([&] { kernels::sub_(kernels::zeros({3}), x); }),
            "sub: the result of [2, 3] does not fit into [3]");
  EXPECT_EQ(error_of([&] { kernels::add_(kernels::zeros({3}), x); }),
            "add: the result of [2, 3] does not fit into [3]");
  EXPECT_EQ(error_of([&] { kernels::add_(kernels::expand(kernels::zeros({3}), {2, 3}), x); }),
            "add: the output of [2, 3] is expanded, so several results would go to one place; clone it first");
  EXPECT_EQ(error_of([&] { kernels::where(x, x, x); }), "where: the condition is of f32 [2, 3], not of bool");
}
