// Network operations against plain loops in double precision, their gradients against finite differences.
#include "gradient_check.h"
#include "network_references.h"

using namespace reprise;
using namespace reprise::test;

namespace {

using Tensors = std::vector<Tensor>;

Tensor values_for(const Sizes& sizes, int seed, double low = -1, double high = 1) {
  Random random(static_cast<unsigned>(seed));
  return dense_random(sizes, DType::f32, random, low, high);
}

TEST(NetworkGradients, OfSoftmax) {
  for (int dim : {0, 1, 2}) {
    check_gradients(
        "softmax", {values_for({3, 4, 5}, 1, -2, 2)}, [&](const Tensors& in) { return softmax(in[0], dim); },
        [&](const Arrays& in) { return softmax_of(in[0], dim); });
    check_gradients(
        "log_softmax", {values_for({3, 4, 5}, 2, -2, 2)},
        [&](const Tensors& in) { return log_softmax(in[0], dim - 3); },
        [&](const Arrays& in) {
          Array out = softmax_of(in[0], dim);
          for (double& value : out.values) value = std::log(value);
          return out;
        });
  }
}

TEST(NetworkGradients, OfSoftmaxOfSoftmaxTwice) {
  Tensor x = values_for({2, 3}, 3).requires_grad_();
  BackwardOptions create;
  create.create_graph = true;
  // The slope of softmax is itself an operation of the same kind: its gradient by differences of the first one.
  auto slope = [](const Arrays& in) {
    const Array y = softmax_of(in[0], 1);
    Array out(y.sizes);
    for_each_index(y.sizes, [&](const Sizes& at) {
      double sum = 0;
      for (std::int64_t k = 0; k < 3; ++k) sum += y.at({at[0], k}) * y.at({at[0], k});
      out.at(at) = 2 * y.at(at) * (y.at(at) - sum);
    });
    return out;
  };
  check_gradients(
      "gradient of softmax squared", {x.detach().clone()},
      [&](const Tensors& in) {
        const Tensor y = softmax(in[0]);
        return grad({sum(y * y)}, {in[0]}, {}, create)[0];
      },
      slope);
}

TEST(NetworkGradients, OfLayerNorm) {
  check_gradients(
      "layer_norm", {values_for({2, 3, 7}, 4), values_for({7}, 5), values_for({7}, 6)},
      [](const Tensors& in) { return layer_norm(in[0], in[1], in[2]); }, normalized, 5e-4);
  check_gradients(
      "layer_norm without weight", {values_for({4, 6}, 7)}, [](const Tensors& in) { return layer_norm(in[0]); },
      normalized, 5e-4);
}

TEST(NetworkGradients, OfEmbedding) {
  const Tensor indices = kernels::from_vector(std::vector<std::int64_t>{2, 0, 2, 4, 1, 2}, {2, 3});
  const std::vector<std::int64_t> rows = indices.to_vector<std::int64_t>();
  check_gradients(
      "embedding", {values_for({5, 3}, 8)}, [&](const Tensors& in) { return embedding(indices, in[0]); },
      [&](const Arrays& in) {
        Array out({2, 3, 3});
        for (std::size_t i = 0; i < 6; ++i) {
          for (std::size_t k = 0; k < 3; ++k)
            out.values[i * 3 + k] = in[0].values[static_cast<std::size_t>(rows[i]) * 3 + k];
        }
        return out;
      });
}

TEST(NetworkGradients, OfConv2d) {
  const std::pair<std::int64_t, std::int64_t> forms[] = {{1, 0}, {1, 1}, {2, 1}};
  for (const auto& [stride, padding] : forms) {
    const Tensors in = {values_for({2, 2, 5, 4}, 9), values_for({3, 2, 3, 2}, 10), values_for({3}, 11)};
    auto reference = [stride = stride, padding = padding](const Arrays& in) {
      return convolved(in, stride, padding, 1);
    };
    auto operation = [stride = stride, padding = padding](const Tensors& in) {
      return conv2d(in[0], in[1], in.size() > 2 ? in[2] : Tensor(), stride, padding);
    };
    check_gradients(text("conv2d, stride ", stride, ", padding ", padding), in, operation, reference);
    check_gradients("conv2d without bias", {in[0].detach().clone(), in[1].detach().clone()}, operation, reference);
  }
}

TEST(NetworkGradients, OfPooling) {
  const std::pair<std::int64_t, std::int64_t> forms[] = {{2, 2}, {3, 1}, {2, 3}};
  for (const auto& [size, stride] : forms) {
    const std::int64_t size_now = size, stride_now = stride;
    check_gradients(
        "max_pool2d", {values_for({2, 2, 6, 5}, 12)},
        [=](const Tensors& in) { return max_pool2d(in[0], size_now, stride_now); },
        [=](const Arrays& in) { return pooled(in[0], size_now, stride_now, 0, true); });
    check_gradients(
        "avg_pool2d", {values_for({2, 2, 6, 5}, 13)},
        [=](const Tensors& in) { return avg_pool2d(in[0], size_now, stride_now); },
        [=](const Arrays& in) { return pooled(in[0], size_now, stride_now, 0, false); });
  }
}

TEST(NetworkGradients, OfLosses) {
  const Tensor classes = kernels::from_vector(std::vector<std::int64_t>{1, 0, 4, 2});
  const std::vector<std::int64_t> chosen = classes.to_vector<std::int64_t>();
  check_gradients(
      "cross_entropy", {values_for({4, 5}, 14, -3, 3)},
      [&](const Tensors& in) { return cross_entropy(in[0], classes); },
      [&](const Arrays& in) {
        const Array probabilities = softmax_of(in[0], 1);
        Array out{Sizes{}};
        for (std::size_t i = 0; i < 4; ++i)
          out.values[0] -= std::log(probabilities.at({static_cast<std::int64_t>(i), chosen[i]})) / 4;
        return out;
      });
  check_gradients(
      "mse_loss", {values_for({3, 4}, 15), values_for({3, 4}, 16)},
      [](const Tensors& in) { return mse_loss(in[0], in[1]); },
      [](const Arrays& in) {
        Array out{Sizes{}};
        for (std::size_t i = 0; i < 12; ++i) out.values[0] += std::pow(in[0].values[i] - in[1].values[i], 2) / 12;
        return out;
      });
}

TEST(NetworkGradients, OfAttention) {
  for (bool causal : {false, true}) {
    check_gradients(
        "attention", {values_for({2, 4, 3}, 17), values_for({2, 4, 3}, 18), values_for({2, 4, 3}, 19)},
        [&](const Tensors& in) { return scaled_dot_product_attention(in[0], in[1], in[2], causal); },
        [&](const Arrays& in) { return attended(in, causal); });
  }
}

TEST(NetworkGradients, OfDropoutGoWhereTheElementsWent) {
  Tensor x = kernels::full({10000}, 2).requires_grad_();
  const Tensor y = dropout(x, 0.25);
  sum(y).backward();
  const std::vector<float> values = y.to_vector<float>(), gradient = x.grad().to_vector<float>();
  int kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    kept += values[i] != 0;
    EXPECT_NEAR(values[i], values[i] != 0 ? 2 / 0.75 : 0, 1e-6);
    EXPECT_NEAR(gradient[i], values[i] / 2, 1e-6);
  }
  EXPECT_NEAR(kept, 7500, 300);
  EXPECT_TRUE(dropout(x, 0.5, false).is_same(x));
}

// Second derivatives by differences of the first gradients, in single precision along one direction.
void check_second_gradients(const std::string& name, const Tensors& given, const Operation& operation) {
  Random random(21);
  BackwardOptions create;
  create.create_graph = true;
  Tensor weights;
  auto slope_at = [&](const Tensors& at, bool recorded) {
    const Tensor y = operation(at);
    if (!weights.defined()) weights = dense_random(y.sizes(), DType::f32, random, -1, 1);
    return grad({sum(y * weights)}, at, {}, recorded ? create : BackwardOptions());
  };
  Tensors leaves, directions;
  for (const Tensor& each : given) {
    leaves.push_back(each.detach().clone().requires_grad_());
    directions.push_back(dense_random(each.sizes(), DType::f32, random, -1, 1));
  }
  const Tensors slopes = slope_at(leaves, true);
  Tensors factors;
  Tensor total;
  for (const Tensor& slope : slopes) {
    factors.push_back(dense_random(slope.sizes(), DType::f32, random, -1, 1));
    const Tensor part = sum(slope * factors.back());
    total = total.defined() ? total + part : part;
  }
  const Tensors curves = grad({total}, leaves, {}, {}, true);
  double found = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (curves[i].defined()) found += sum(curves[i] * directions[i]).item<float>();
  }
  const double step = 1e-2;
  auto along = [&](double by) {
    Tensors moved;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      moved.push_back((leaves[i].detach() + directions[i] * by).requires_grad_());
    const Tensors there = slope_at(moved, false);
    double value = 0;
    for (std::size_t i = 0; i < there.size(); ++i) value += sum(there[i] * factors[i]).item<float>();
    return value;
  };
  const double expected = (along(step) - along(-step)) / (2 * step);
  EXPECT_GT(std::fabs(expected), 1e-2) << name << ": nothing to be seen";
  EXPECT_NEAR(found, expected, 2e-2 * std::max(1.0, std::fabs(expected))) << name;
}

TEST(NetworkGradients, OfGradients) {
  const Tensor classes = kernels::from_vector(std::vector<std::int64_t>{1, 0, 4, 2});
  const Tensor indices = kernels::from_vector(std::vector<std::int64_t>{1, 0, 1, 3});
  check_second_gradients("gelu", {values_for({3, 4}, 30)}, [](const Tensors& in) { return gelu(in[0]); });
  check_second_gradients("layer_norm", {values_for({3, 6}, 31), values_for({6}, 32), values_for({6}, 33)},
                         [](const Tensors& in) { return layer_norm(in[0], in[1], in[2]); });
  check_second_gradients("layer_norm without weights", {values_for({3, 6}, 31)},
                         [](const Tensors& in) { return layer_norm(in[0]); });
  check_second_gradients("cross_entropy", {values_for({4, 5}, 34)},
                         [&](const Tensors& in) { return cross_entropy(in[0], classes); });
  check_second_gradients("mse_loss", {values_for({4, 5}, 35), values_for({4, 5}, 36)},
                         [](const Tensors& in) { return mse_loss(in[0], in[1], Reduction::sum); });
  check_second_gradients(
      "mse_loss of data", {values_for({4, 5}, 35)},
      [target = values_for({4, 5}, 36)](const Tensors& in) { return mse_loss(in[0] * in[0], target, Reduction::sum); });
  check_second_gradients("embedding", {values_for({4, 3}, 37)},
                         [&](const Tensors& in) { return pow(embedding(indices, in[0]), 3); });
  check_second_gradients("conv2d", {values_for({2, 2, 5, 4}, 38), values_for({3, 2, 3, 2}, 39), values_for({3}, 40)},
                         [](const Tensors& in) { return pow(conv2d(in[0], in[1], in[2], 2, 1), 2); });
  check_second_gradients("avg_pool2d", {values_for({1, 2, 4, 4}, 41)},
                         [](const Tensors& in) { return pow(avg_pool2d(in[0], 2), 3); });
  check_second_gradients("attention", {values_for({2, 3, 4}, 42), values_for({2, 3, 4}, 43), values_for({2, 3, 4}, 44)},
                         [](const Tensors& in) { return scaled_dot_product_attention(in[0], in[1], in[2], true); });
}

TEST(NetworkGradients, OfABiasWithoutAWeight) {
  Tensor bias = values_for({6}, 45).requires_grad_();
  sum(layer_norm(values_for({3, 6}, 46), {}, bias)).backward();
  EXPECT_EQ(values_of(bias.grad()), std::vector<double>(6, 3));
}

TEST(NetworkGradients, OfPaddedAndDilatedWindows) {
  // Padding is a frame of zeros, dilation a filter with holes.
  const Tensor x = values_for({1, 2, 5, 5}, 50), weight = values_for({2, 2, 2, 2}, 51);
  Tensor framed = kernels::zeros({1, 2, 7, 7}), holed = kernels::zeros({2, 2, 3, 3});
  kernels::copy_(framed.narrow(2, 1, 5).narrow(3, 1, 5), x);
  for (int row : {0, 1}) {
    for (int column : {0, 1})
      kernels::copy_(holed.select(3, 2 * column).select(2, 2 * row), weight.select(3, column).select(2, row));
  }
  expect_near(conv2d(x, weight, {}, 1, 1, 2), values_of(conv2d(framed, holed)), 1e-5, "conv2d with dilation");
  expect_near(avg_pool2d(x, 3, 2, 1), values_of(avg_pool2d(framed, 3, 2)), 1e-6, "avg_pool2d with padding");
  const Tensor positive = x * x + 0.1, frame_of_squares = framed * framed;
  expect_near(max_pool2d(positive, 3, 2, 1), values_of(max_pool2d(frame_of_squares + 0.1, 3, 2)), 1e-6,
              "max_pool2d with padding");
}

// With 16-bit types, every network operation gives the rounded result of single precision, forward and backward.
TEST(NetworkGradients, InSixteenBits) {
  const Tensor classes = kernels::from_vector(std::vector<std::int64_t>{1, 0, 4, 2});
  struct One {
    const char* name;
    Tensors inputs;
    Operation operation;
  };
  const One all[] = {
      {"softmax", {values_for({4, 5}, 60)}, [](const Tensors& in) { return softmax(in[0]); }},
      {"log_softmax", {values_for({4, 5}, 61)}, [](const Tensors& in) { return log_softmax(in[0]); }},
      {"layer_norm",
       {values_for({4, 6}, 62), values_for({6}, 63), values_for({6}, 64)},
       [](const Tensors& in) { return layer_norm(in[0], in[1], in[2]); }},
      {"embedding", {values_for({5, 3}, 65)}, [&](const Tensors& in) { return embedding(classes, in[0]); }},
      {"conv2d",
       {values_for({2, 2, 5, 5}, 66), values_for({3, 2, 3, 3}, 67), values_for({3}, 68)},
       [](const Tensors& in) { return conv2d(in[0], in[1], in[2]); }},
      {"max_pool2d", {values_for({1, 2, 4, 4}, 69)}, [](const Tensors& in) { return max_pool2d(in[0], 2); }},
      {"avg_pool2d", {values_for({1, 2, 4, 4}, 70)}, [](const Tensors& in) { return avg_pool2d(in[0], 2); }},
      {"cross_entropy", {values_for({4, 5}, 71)}, [&](const Tensors& in) { return cross_entropy(in[0], classes); }},
      {"mse_loss",
       {values_for({4, 5}, 72), values_for({4, 5}, 73)},
       [](const Tensors& in) { return mse_loss(in[0], in[1]); }},
      {"attention",
       {values_for({2, 3, 4}, 74), values_for({2, 3, 4}, 75), values_for({2, 3, 4}, 76)},
       [](const Tensors& in) { return scaled_dot_product_attention(in[0], in[1], in[2], true); }},
      {"linear",
       {values_for({4, 5}, 77), values_for({3, 5}, 78), values_for({3}, 79)},
       [](const Tensors& in) { return linear_relu(in[0], in[1], in[2]); }},
      {"gelu", {values_for({4, 5}, 80)}, [](const Tensors& in) { return gelu(in[0]); }},
  };
  for (DType dtype : {DType::f16, DType::bf16}) {
    for (const One& one : all) {
      Tensors wide, narrow;
      for (const Tensor& input : one.inputs) {
        narrow.push_back(input.detach().to(dtype).clone().requires_grad_());
        wide.push_back(narrow.back().detach().to(DType::f32).requires_grad_());
      }
      const Tensor expected = one.operation(wide), result = one.operation(narrow);
      const double near = dtype == DType::f16 ? 1e-2 : 6e-2;
      expect_near(result, values_of(expected), near, text(one.name, " in ", dtype));
      const Tensors of_wide = grad({expected}, wide, {kernels::ones(expected.sizes())}),
                    of_narrow = grad({result}, narrow, {kernels::ones(result.sizes(), result.dtype())});
      for (std::size_t i = 0; i < of_wide.size(); ++i) {
        EXPECT_EQ(of_narrow[i].dtype(), dtype) << one.name;
        expect_near(of_narrow[i], values_of(of_wide[i]), near, text("gradient ", i, " of ", one.name, " in ", dtype));
      }
    }
  }
}

}  // namespace
