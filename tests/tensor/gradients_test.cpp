// The gradient of every operation against finite differences.
#include "gradient_check.h"

using namespace reprise;
using namespace reprise::test;

namespace {

using Tensors = std::vector<Tensor>;

double cdf(double x) { return 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }

Reference of_each(double (*function)(double)) {
  return [function](const Arrays& in) {
    Array out = in[0];
    for (double& value : out.values) value = function(value);
    return out;
  };
}

Reference of_two(double (*function)(double, double)) {
  return [function](const Arrays& in) {
    Array out(broadcast(in[0].sizes, in[1].sizes, "reference"));
    for_each_index(out.sizes, [&](const Sizes& at) { out.at(at) = function(in[0].at(at), in[1].at(at)); });
    return out;
  };
}

struct OfOne {
  const char* name;
  Tensor (*operation)(const Tensor&);
  double (*reference)(double);
  double low, high;
};

const OfOne of_one[] = {
    {"neg", [](const Tensor& x) { return -x; }, [](double x) { return -x; }, -2, 2},
    {"abs", [](const Tensor& x) { return abs(x); }, [](double x) { return std::abs(x); }, -2, 2},
    {"exp", [](const Tensor& x) { return exp(x); }, [](double x) { return std::exp(x); }, -2, 2},
    {"log", [](const Tensor& x) { return log(x); }, [](double x) { return std::log(x); }, 0.5, 3},
    {"sqrt", [](const Tensor& x) { return sqrt(x); }, [](double x) { return std::sqrt(x); }, 0.5, 3},
    {"sin", [](const Tensor& x) { return sin(x); }, [](double x) { return std::sin(x); }, -3, 3},
    {"cos", [](const Tensor& x) { return cos(x); }, [](double x) { return std::cos(x); }, -3, 3},
    {"tanh", [](const Tensor& x) { return tanh(x); }, [](double x) { return std::tanh(x); }, -2, 2},
    {"sigmoid", [](const Tensor& x) { return sigmoid(x); }, [](double x) { return 1 / (1 + std::exp(-x)); }, -3, 3},
    {"relu", [](const Tensor& x) { return relu(x); }, [](double x) { return x > 0 ? x : 0; }, -2, 2},
    {"gelu", [](const Tensor& x) { return gelu(x); }, [](double x) { return x * cdf(x); }, -3, 3},
    {"clamp", [](const Tensor& x) { return clamp(x, -0.5, 1); },
     [](double x) { return std::min(std::max(x, -0.5), 1.0); }, -2, 2},
    {"add a number", [](const Tensor& x) { return x + 1.5; }, [](double x) { return x + 1.5; }, -2, 2},
    {"subtract a number", [](const Tensor& x) { return x - 1.5; }, [](double x) { return x - 1.5; }, -2, 2},
    {"subtract from a number", [](const Tensor& x) { return 1.5 - x; }, [](double x) { return 1.5 - x; }, -2, 2},
    {"times a number", [](const Tensor& x) { return 3 * x; }, [](double x) { return 3 * x; }, -2, 2},
    {"divide by a number", [](const Tensor& x) { return x / 4; }, [](double x) { return x / 4; }, -2, 2},
    {"divide a number", [](const Tensor& x) { return 2.0 / x; }, [](double x) { return 2 / x; }, 1, 3},
    {"square", [](const Tensor& x) { return pow(x, 2); }, [](double x) { return x * x; }, -2, 2},
    {"cube", [](const Tensor& x) { return pow(x, 3); }, [](double x) { return x * x * x; }, 0.5, 2},
    {"power 0.7", [](const Tensor& x) { return pow(x, 0.7); }, [](double x) { return std::pow(x, 0.7); }, 0.5, 2},
    {"power 0", [](const Tensor& x) { return pow(x, 0); }, [](double) { return 1.0; }, 0.5, 2},
};

TEST(Gradients, OfFunctionsOfOneElement) {
  Random random(1);
  for (const OfOne& one : of_one) {
    check_gradients(
        one.name, {dense_random({3, 5}, DType::f32, random, one.low, one.high)},
        [&](const Tensors& in) { return one.operation(in[0]); }, of_each(one.reference));
  }
}

struct OfTwo {
  const char* name;
  Tensor (*operation)(const Tensor&, const Tensor&);
  double (*reference)(double, double);
  double low, high;
};

const OfTwo of_two_elements[] = {
    {"add", [](const Tensor& a, const Tensor& b) { return a + b; }, [](double a, double b) { return a + b; }, -2, 2},
    {"sub", [](const Tensor& a, const Tensor& b) { return a - b; }, [](double a, double b) { return a - b; }, -2, 2},
    {"mul", [](const Tensor& a, const Tensor& b) { return a * b; }, [](double a, double b) { return a * b; }, -2, 2},
    {"div", [](const Tensor& a, const Tensor& b) { return a / b; }, [](double a, double b) { return a / b; }, 1, 3},
    {"pow", [](const Tensor& a, const Tensor& b) { return pow(a, b); },
     [](double a, double b) { return std::pow(a, b); }, 0.5, 2},
    {"minimum", [](const Tensor& a, const Tensor& b) { return minimum(a, b); },
     [](double a, double b) { return std::min(a, b); }, -2, 2},
    {"maximum", [](const Tensor& a, const Tensor& b) { return maximum(a, b); },
     [](double a, double b) { return std::max(a, b); }, -2, 2},
};

TEST(Gradients, OfFunctionsOfTwoElementsThatBroadcast) {
  Random random(2);
  const std::pair<Sizes, Sizes> shapes[] = {
      {{3, 4}, {3, 4}}, {{3, 4}, {4}}, {{3, 1}, {1, 4}}, {{}, {2, 3}}, {{2, 1, 3}, {4, 1}}};
  for (const OfTwo& two : of_two_elements) {
    for (const auto& [a, b] : shapes) {
      check_gradients(
          text(two.name, a, b),
          {dense_random(a, DType::f32, random, two.low, two.high),
           dense_random(b, DType::f32, random, two.low, two.high)},
          [&](const Tensors& in) { return two.operation(in[0], in[1]); }, of_two(two.reference));
    }
  }
}

TEST(Gradients, OfWhere) {
  Random random(3);
  const Tensor condition = dense_random({3, 4}, DType::boolean, random, 0, 1);
  const Array chosen(condition);
  check_gradients(
      "where", {random_tensor({3, 4}, DType::f32, random), random_tensor({4}, DType::f32, random)},
      [&](const Tensors& in) { return where(condition, in[0], in[1]); },
      [&](const Arrays& in) {
        Array out(chosen.sizes);
        for_each_index(out.sizes, [&](const Sizes& at) { out.at(at) = chosen.at(at) ? in[0].at(at) : in[1].at(at); });
        return out;
      });
}

// A reduction over `dims` by `each(sum, value)`.
Array reduced(const Array& in, const Sizes& dims, double first, double (*each)(double, double)) {
  Sizes sizes = dims.empty() ? Sizes::filled(in.sizes.size(), 1) : in.sizes;
  for (std::int64_t dim : dims) sizes[static_cast<int>(dim)] = 1;
  Array out(sizes);
  for (double& value : out.values) value = first;
  for_each_index(in.sizes, [&](const Sizes& at) { out.at(at) = each(out.at(at), in.at(at)); });
  return out;
}

Array reshaped(Array in, const Sizes& sizes) {
  in.sizes = sizes;
  return in;
}

TEST(Gradients, OfSumsAndMeans) {
  Random random(4);
  for (const Sizes& dims : {Sizes{}, Sizes{0}, Sizes{1}, Sizes{2}, Sizes{0, 2}, Sizes{0, 1, 2}}) {
    const Tensor x = random_tensor({2, 3, 4}, DType::f32, random);
    auto total = [&](const Arrays& in) {
      return reduced(in[0], dims, 0, [](double sum, double x) { return sum + x; });
    };
    check_gradients(
        text("sum over ", dims), {x.clone()}, [&](const Tensors& in) { return sum(in[0], dims, true); }, total);
    check_gradients(
        text("mean over ", dims), {x.clone()}, [&](const Tensors& in) { return mean(in[0], dims, true); },
        [&](const Arrays& in) {
          Array out = total(in);
          for (double& value : out.values) value *= static_cast<double>(out.values.size()) / 24;
          return out;
        });
  }
  check_gradients(
      "sum without its dimension", {random_tensor({2, 3, 4}, DType::f32, random).clone()},
      [](const Tensors& in) { return sum(in[0], {1}); },
      [](const Arrays& in) {
        return reshaped(reduced(in[0], {1}, 0, [](double s, double x) { return s + x; }), {2, 4});
      });
}

TEST(Gradients, OfExtremes) {
  Random random(5);
  const Tensor x = dense_random({3, 4}, DType::f32, random, -2, 2);
  auto largest = [](double a, double b) { return std::max(a, b); };
  auto smallest = [](double a, double b) { return std::min(a, b); };
  check_gradients(
      "max", {x.clone()}, [](const Tensors& in) { return max(in[0]); },
      [&](const Arrays& in) { return reshaped(reduced(in[0], {}, -9, largest), {}); });
  check_gradients(
      "min", {x.clone()}, [](const Tensors& in) { return min(in[0]); },
      [&](const Arrays& in) { return reshaped(reduced(in[0], {}, 9, smallest), {}); });
  check_gradients(
      "max along 0", {x.clone()}, [](const Tensors& in) { return max(in[0], 0).values; },
      [&](const Arrays& in) { return reshaped(reduced(in[0], {0}, -9, largest), {4}); });
  check_gradients(
      "min along -1", {x.clone()}, [](const Tensors& in) { return min(in[0], -1, true).values; },
      [&](const Arrays& in) { return reduced(in[0], {1}, 9, smallest); });
}

Array product_of(const Array& a, const Array& b) {
  const int dims = std::max(a.sizes.size(), b.sizes.size());
  Sizes batch_a(a.sizes.begin(), a.sizes.end() - 2), batch_b(b.sizes.begin(), b.sizes.end() - 2);
  Sizes sizes = broadcast(batch_a, batch_b, "reference");
  const std::int64_t inner = a.sizes.back();
  sizes.push_back(a.sizes[a.sizes.size() - 2]);
  sizes.push_back(b.sizes.back());
  Array out(sizes);
  for_each_index(sizes, [&](const Sizes& at) {
    double sum = 0;
    for (std::int64_t k = 0; k < inner; ++k) {
      Sizes at_a = at, at_b = at;
      at_a[dims - 1] = k;
      at_b[dims - 2] = k;
      sum += a.at(at_a) * b.at(at_b);
    }
    out.at(at) = sum;
  });
  return out;
}

TEST(Gradients, OfMatmul) {
  Random random(6);
  const std::pair<Sizes, Sizes> shapes[] = {
      {{3, 4}, {4, 5}}, {{2, 3, 4}, {2, 4, 5}}, {{2, 3, 4}, {4, 5}}, {{3, 4}, {2, 4, 5}}, {{2, 1, 3, 4}, {3, 4, 2}}};
  for (const auto& [a, b] : shapes) {
    check_gradients(
        text("matmul ", a, b),
        {random_tensor(a, DType::f32, random).clone(), random_tensor(b, DType::f32, random).clone()},
        [](const Tensors& in) { return matmul(in[0], in[1]); },
        [](const Arrays& in) { return product_of(in[0], in[1]); });
  }
  check_gradients(
      "vector by vector", {dense_random({4}, DType::f32, random, -1, 1), dense_random({4}, DType::f32, random, -1, 1)},
      [](const Tensors& in) { return matmul(in[0], in[1]); },
      [](const Arrays& in) { return reshaped(product_of(reshaped(in[0], {1, 4}), reshaped(in[1], {4, 1})), {}); });
  check_gradients(
      "matrix by vector",
      {dense_random({3, 4}, DType::f32, random, -1, 1), dense_random({4}, DType::f32, random, -1, 1)},
      [](const Tensors& in) { return matmul(in[0], in[1]); },
      [](const Arrays& in) { return reshaped(product_of(in[0], reshaped(in[1], {4, 1})), {3}); });
}

TEST(Gradients, OfLinear) {
  Random random(7);
  for (const Sizes& sizes : {Sizes{3, 4}, Sizes{2, 3, 4}}) {
    auto reference = [](const Arrays& in) {
      Sizes sizes = in[0].sizes;
      sizes[sizes.size() - 1] = in[1].sizes[0];
      Array out(sizes);
      for_each_index(sizes, [&](const Sizes& at) {
        double sum = in.size() > 2 ? in[2].values[static_cast<std::size_t>(at.back())] : 0;
        for (std::int64_t k = 0; k < in[1].sizes[1]; ++k) {
          Sizes from = at;
          from[from.size() - 1] = k;
          sum += in[0].at(from) * in[1].at({at.back(), k});
        }
        out.at(at) = sum;
      });
      return out;
    };
    const Tensors in = {dense_random(sizes, DType::f32, random, -1, 1), dense_random({5, 4}, DType::f32, random, -1, 1),
                        dense_random({5}, DType::f32, random, -1, 1)};
    check_gradients("linear", in, [](const Tensors& in) { return linear(in[0], in[1], in[2]); }, reference);
    check_gradients(
        "linear_gelu", {in[0].detach().clone(), in[1].detach().clone(), in[2].detach().clone()},
        [](const Tensors& in) { return linear_gelu(in[0], in[1], in[2]); },
        [&](const Arrays& in) {
          Array out = reference(in);
          for (double& value : out.values) value *= cdf(value);
          return out;
        });
    check_gradients(
        "linear_relu", {in[0].detach().clone(), in[1].detach().clone(), in[2].detach().clone()},
        [](const Tensors& in) { return linear_relu(in[0], in[1], in[2]); },
        [&](const Arrays& in) {
          Array out = reference(in);
          for (double& value : out.values) value = std::max(value, 0.0);
          return out;
        });
    check_gradients(
        "linear without bias", {in[0].clone().detach(), in[1].clone().detach()},
        [](const Tensors& in) { return linear(in[0], in[1]); }, reference);
  }
}

// Views and joins move values: the reference applies the operation to element numbers and looks up the values.
void check_moves(const char* name, const Sizes& sizes, const std::function<Tensor(const Tensor&)>& operation) {
  Random random(8);
  const Tensor numbers = kernels::arange(0, static_cast<double>(product(sizes)), 1, DType::f32).view(sizes);
  const Array places(operation(numbers));
  check_gradients(
      name, {dense_random(sizes, DType::f32, random, -2, 2)}, [&](const Tensors& in) { return operation(in[0]); },
      [&](const Arrays& in) {
        Array out(places.sizes);
        for (std::size_t i = 0; i < out.values.size(); ++i) {
          out.values[i] = in[0].values[static_cast<std::size_t>(places.values[i])];
        }
        return out;
      });
}

TEST(Gradients, OfViews) {
  check_moves("view", {2, 6}, [](const Tensor& x) { return x.view({3, 4}); });
  check_moves("reshape of a transposed", {2, 6}, [](const Tensor& x) { return x.t().reshape({4, 3}); });
  check_moves("flatten", {2, 3, 2}, [](const Tensor& x) { return x.flatten(1); });
  check_moves("transpose", {2, 3, 4}, [](const Tensor& x) { return x.transpose(0, 2); });
  check_moves("permute", {2, 3, 4}, [](const Tensor& x) { return x.permute({1, -1, 0}); });
  check_moves("narrow", {2, 5}, [](const Tensor& x) { return x.narrow(1, 1, 3); });
  check_moves("select", {2, 5}, [](const Tensor& x) { return x.select(1, 2); });
  check_moves("squeeze", {2, 1, 3}, [](const Tensor& x) { return x.squeeze(1); });
  check_moves("unsqueeze", {2, 3}, [](const Tensor& x) { return x.unsqueeze(-1); });
  check_moves("expand", {2, 1, 3}, [](const Tensor& x) { return x.expand({4, 2, 2, 3}); });
  check_moves("clone", {2, 3}, [](const Tensor& x) { return x.clone(); });
  check_moves("contiguous", {2, 3}, [](const Tensor& x) { return x.t().contiguous(); });
}

TEST(Gradients, OfJoins) {
  check_moves("cat", {2, 3}, [](const Tensor& x) { return cat({x, x.narrow(1, 0, 2), x}, 1); });
  check_moves("stack", {2, 3}, [](const Tensor& x) { return stack({x, x}, 1); });
  check_moves("split", {5, 2}, [](const Tensor& x) {
    const Tensors parts = split(x, 2);
    EXPECT_EQ(parts.size(), 3u);
    return cat({parts[2], parts[0], parts[1]});
  });
}

TEST(Gradients, InSixteenBitsAreOfTheArgumentsType) {
  Random random(9);
  for (DType dtype : {DType::f16, DType::bf16}) {
    Tensor x = dense_random({3, 4}, dtype, random, -1, 1).requires_grad_();
    Tensor y = dense_random({4}, DType::f32, random, -1, 1).requires_grad_();
    const Tensor result = tanh(x * y);
    EXPECT_EQ(result.dtype(), DType::f32);
    sum(result).backward();
    EXPECT_EQ(x.grad().dtype(), dtype);
    EXPECT_EQ(y.grad().dtype(), DType::f32);
    const std::vector<double> xs = values_of(x), ys = values_of(y);
    std::vector<double> expected;
    for (int i = 0; i < 12; ++i) expected.push_back(ys[i % 4] * (1 - std::pow(std::tanh(xs[i] * ys[i % 4]), 2)));
    expect_near(x.grad(), expected, tolerance(dtype), "gradient in sixteen bits");
  }
}

}  // namespace
