// The larger kernels: results against double precision, gradients against differences of the double-precision function.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "kernels/convolution/convolution.h"
#include "kernels/convolution/pool.h"
#include "kernels/random/dropout.h"
#include "kernels/reduction/layer_norm.h"
#include "kernels/reduction/loss.h"
#include "kernels/reduction/softmax.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/embedding.h"
#include "kernels/tensor/factories.h"

using namespace reprise;

namespace {

using Doubles = std::vector<double>;
using Function = std::function<Doubles(const Doubles&)>;

std::mt19937 random_engine(7);

std::vector<float> numbers(std::int64_t count) {
  std::normal_distribution<float> normal;
  std::vector<float> made(static_cast<std::size_t>(count));
  for (float& value : made) value = normal(random_engine);
  return made;
}

Doubles doubles(const std::vector<float>& values) { return {values.begin(), values.end()}; }
Doubles values_of(const Tensor& x) { return doubles(kernels::to(x, DType::f32).to_vector<float>()); }

void expect_near(const Tensor& got, const Doubles& expected, double tolerance, const char* what) {
  const Doubles values = values_of(got);
  ASSERT_EQ(values.size(), expected.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(values[i], expected[i], tolerance * (1 + std::abs(expected[i]))) << what << ", element " << i;
}

// `got` must be the gradient of dot(function(x), weights) at x.
void expect_gradient(const Tensor& got, const Function& function, const std::vector<float>& at,
                     const std::vector<float>& weights, const char* what) {
  Doubles x = doubles(at), expected;
  auto value = [&] {
    const Doubles y = function(x);
    double dot = 0;
    for (std::size_t i = 0; i < y.size(); ++i) dot += y[i] * weights[i];
    return dot;
  };
  const double step = 1e-5;
  for (double& element : x) {
    const double before = element;
    element = before + step;
    const double above = value();
    element = before - step;
    expected.push_back((above - value()) / (2 * step));
    element = before;
  }
  expect_near(got, expected, 2e-4, what);
}

// Rows of `columns`, function by function.
Function by_rows(std::int64_t columns, const std::function<void(const double*, double*)>& row) {
  return [=](const Doubles& x) {
    Doubles y(x.size());
    for (std::size_t i = 0; i < x.size(); i += static_cast<std::size_t>(columns)) row(&x[i], &y[i]);
    return y;
  };
}

Function softmax_of(std::int64_t columns, bool logarithm) {
  return by_rows(columns, [=](const double* x, double* y) {
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) sum += std::exp(x[i]);
    for (std::int64_t i = 0; i < columns; ++i) y[i] = logarithm ? x[i] - std::log(sum) : std::exp(x[i]) / sum;
  });
}

constexpr std::int64_t row_lengths[] = {1, 7, 32, 65, 1500};

}  // namespace

TEST(Softmax, equals_double_precision) {
  for (std::int64_t columns : row_lengths) {
    const std::int64_t rows = columns > 1000 ? 1 : 11;
    const auto x = numbers(rows * columns), g = numbers(rows * columns);
    const Tensor tx = kernels::from_vector(x, {rows, columns}), tg = kernels::from_vector(g, {rows, columns});
    const Function plain = softmax_of(columns, false), logarithm = softmax_of(columns, true);
    const Tensor y = kernels::softmax(tx, 1), log_y = kernels::log_softmax(tx, -1);
    expect_near(y, plain(doubles(x)), 1e-5, "softmax");
    expect_near(log_y, logarithm(doubles(x)), 1e-5, "log_softmax");
    expect_gradient(kernels::softmax_backward(tg, y, 1), plain, x, g, "softmax_backward");
    expect_gradient(kernels::log_softmax_backward(tg, log_y, 1), logarithm, x, g, "log_softmax_backward");
  }
}

TEST(Softmax, goes_along_any_dimension_and_takes_large_values) {
  const auto x = numbers(2 * 3 * 4);
  const Tensor t = kernels::from_vector(x, {2, 3, 4});
  expect_near(kernels::softmax(t, 1), values_of(kernels::softmax(t.transpose(1, 2).contiguous(), 2).transpose(1, 2)), 0,
              "dimension 1");
  expect_near(kernels::softmax(kernels::from_vector<float>({1000, 1000}), 0), {0.5, 0.5}, 1e-6, "large values");
  expect_near(kernels::softmax(kernels::to(t, DType::bf16), 2), values_of(kernels::softmax(t, 2)), 2e-2, "bf16");
  EXPECT_EQ(kernels::softmax(kernels::to(t, DType::bf16), 2).dtype(), DType::bf16);
}

TEST(AttentionWeights, causal_weights_of_later_keys_are_zero) {
  const std::int64_t length = 5;
  const auto x = numbers(2 * length * length), g = numbers(2 * length * length);
  std::int64_t row = 0;
  const Function reference = by_rows(length, [&](const double* x, double* y) {
    const std::int64_t seen = row++ % length + 1;
    double sum = 0;
    for (std::int64_t i = 0; i < seen; ++i) sum += std::exp(0.3 * x[i]);
    for (std::int64_t i = 0; i < length; ++i) y[i] = i < seen ? std::exp(0.3 * x[i]) / sum : 0;
  });
  const Tensor weights = kernels::attention_weights(kernels::from_vector(x, {2, length, length}), 0.3, true);
  expect_near(weights, reference(doubles(x)), 1e-5, "weights");
  expect_gradient(kernels::attention_weights_backward(kernels::from_vector(g, {2, length, length}), weights, 0.3),
                  reference, x, g, "gradient");
}

TEST(LayerNorm, equals_double_precision) {
  for (std::int64_t columns : {7, 64, 1500}) {
    const std::int64_t rows = columns > 1000 ? 1 : 5;
    const auto x = numbers(rows * columns), g = numbers(rows * columns), w = numbers(columns), b = numbers(columns);
    const Tensor tx = kernels::from_vector(x, {rows, columns}), tg = kernels::from_vector(g, {rows, columns});
    const Tensor tw = kernels::from_vector(w), tb = kernels::from_vector(b);
    auto norm = [&](const Doubles& x, const Doubles& w, const Doubles& b) {
      return by_rows(columns, [&](const double* x, double* y) {
        double mean = 0, variance = 0;
        for (std::int64_t i = 0; i < columns; ++i) mean += x[i] / columns;
        for (std::int64_t i = 0; i < columns; ++i) variance += (x[i] - mean) * (x[i] - mean) / columns;
        for (std::int64_t i = 0; i < columns; ++i) y[i] = (x[i] - mean) / std::sqrt(variance + 1e-5) * w[i] + b[i];
      })(x);
    };
    const kernels::LayerNorm forward = kernels::layer_norm(tx, tw, tb);
    expect_near(forward.y, norm(doubles(x), doubles(w), doubles(b)), 1e-5, "layer_norm");
    const kernels::LayerNormGradients got = kernels::layer_norm_backward(tg, tx, tw, forward);
    if (columns > 1000) continue;
    expect_gradient(got.x, [&](const Doubles& v) { return norm(v, doubles(w), doubles(b)); }, x, g, "x");
    expect_gradient(got.weight, [&](const Doubles& v) { return norm(doubles(x), v, doubles(b)); }, w, g, "weight");
    expect_gradient(got.bias, [&](const Doubles& v) { return norm(doubles(x), doubles(w), v); }, b, g, "bias");
  }
}

TEST(Dropout, keeps_about_as_many_as_asked_and_the_mean) {
  const std::int64_t n = 10001;
  const Tensor ones = kernels::ones({n});
  Generator generator(3);
  const kernels::Dropout first = kernels::dropout(ones, 0.25, generator),
                         second = kernels::dropout(ones, 0.25, generator);
  std::int64_t kept = 0, same = 0;
  const auto y = first.y.to_vector<float>(), z = second.y.to_vector<float>();
  for (std::int64_t i = 0; i < n; ++i) {
    ASSERT_TRUE(y[i] == 0 || y[i] == 1 / 0.75f);
    kept += y[i] != 0;
    same += y[i] == z[i];
  }
  EXPECT_NEAR(kept, 0.75 * n, 200);
  EXPECT_NEAR(same, (0.75 * 0.75 + 0.25 * 0.25) * n, 200);
  EXPECT_EQ(kernels::dropout_backward(ones, first.kept, 0.25).to_vector<float>(), y);
  generator.manual_seed(3);
  EXPECT_EQ(kernels::dropout(ones, 0.25, generator).y.to_vector<float>(), y);
  // Whole groups of four have a kernel of their own, with the same numbers.
  generator.manual_seed(3);
  const kernels::Dropout whole = kernels::dropout(kernels::ones({n - 1}), 0.25, generator);
  EXPECT_EQ(whole.y.to_vector<float>(), std::vector<float>(y.begin(), y.end() - 1));
  EXPECT_EQ(kernels::dropout_backward(kernels::ones({n - 1}), whole.kept, 0.25).to_vector<float>(),
            std::vector<float>(y.begin(), y.end() - 1));
}

TEST(Embedding, takes_rows_and_sums_their_gradients) {
  const Tensor table = kernels::from_vector<float>({0, 1, 10, 11, 20, 21}, {3, 2});
  const Tensor indices = kernels::from_vector<std::int64_t>({2, 0, 2, 1}, {2, 2});
  const Tensor rows = kernels::embedding(indices, table);
  EXPECT_EQ(rows.sizes(), (Sizes{2, 2, 2}));
  EXPECT_EQ(rows.to_vector<float>(), (std::vector<float>{20, 21, 0, 1, 20, 21, 10, 11}));
  const Tensor grad = kernels::from_vector<float>({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2});
  EXPECT_EQ(kernels::embedding_backward(grad, indices, 3).to_vector<float>(), (std::vector<float>{3, 4, 7, 8, 6, 8}));
}

TEST(Embedding, sums_gradients_of_wide_rows) {
  const std::int64_t rows = 5, size = 37, count = 90;
  std::vector<std::int64_t> indices(count);
  std::vector<float> grad(count * size), expected(rows * size);
  for (std::int64_t i = 0; i < count; ++i) {
    indices[i] = i * i % rows;  // not all rows
    for (std::int64_t c = 0; c < size; ++c)
      expected[indices[i] * size + c] += grad[i * size + c] = static_cast<float>((i * 7 + c) % 11);
  }
  EXPECT_EQ(kernels::embedding_backward(kernels::from_vector(grad, {count, size}),
                                        kernels::from_vector(indices, {count}), rows)
                .to_vector<float>(),
            expected);
}

TEST(Pooling, equals_double_precision) {
  for (kernels::Windows w : {kernels::Windows{2, 2, 0}, kernels::Windows{3, 2, 1}, kernels::Windows{3, 1, 0}}) {
    const std::int64_t height = 7, width = 6, planes = 4;
    const auto x = numbers(planes * height * width);
    const std::int64_t rows = w.count(height), columns = w.count(width);
    const auto g = numbers(planes * rows * columns);
    auto pool = [&](bool greatest) {
      return [=](const Doubles& x) {
        Doubles y;
        for (std::int64_t p = 0; p < planes; ++p)
          for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c) {
              double most = -INFINITY, sum = 0;
              for (std::int64_t i = r * w.stride - w.padding; i < r * w.stride - w.padding + w.size; ++i)
                for (std::int64_t j = c * w.stride - w.padding; j < c * w.stride - w.padding + w.size; ++j) {
                  if (i < 0 || i >= height || j < 0 || j >= width) continue;
                  most = std::max(most, x[(p * height + i) * width + j]);
                  sum += x[(p * height + i) * width + j];
                }
              y.push_back(greatest ? most : sum / (w.size * w.size));
            }
        return y;
      };
    };
    const Tensor tx = kernels::from_vector(x, {2, 2, height, width}),
                 tg = kernels::from_vector(g, {2, 2, rows, columns});
    const kernels::MaxPool most = kernels::max_pool2d(tx, w);
    expect_near(most.y, pool(true)(doubles(x)), 0, "max");
    expect_near(kernels::avg_pool2d(tx, w), pool(false)(doubles(x)), 1e-5, "mean");
    expect_gradient(kernels::max_pool2d_backward(tg, most.places, tx.sizes(), w), pool(true), x, g, "max gradient");
    expect_gradient(kernels::avg_pool2d_backward(tg, tx.sizes(), w), pool(false), x, g, "mean gradient");
  }
}

struct ConvolutionCase {
  std::int64_t batch, in, height, width, out, rows, columns;
  kernels::Convolution how;

  std::int64_t results(std::int64_t length, std::int64_t filter) const {
    return (length + 2 * how.padding.height - how.dilation.height * (filter - 1) - 1) / how.stride.height + 1;
  }
  std::int64_t out_rows() const { return results(height, rows); }
  std::int64_t out_columns() const { return results(width, columns); }

  std::int64_t count() const { return batch * out * out_rows() * out_columns(); }

  template <class Numbers>
  double result(std::int64_t index, const Numbers& x, const Numbers& w, const std::vector<float>& b) const {
    const std::int64_t c = index % out_columns(), r = index / out_columns() % out_rows(),
                       plane = index / (out_columns() * out_rows());
    const std::int64_t o = plane % out, n = plane / out;
    double sum = b[o];
    for (std::int64_t k = 0; k < in; ++k)
      for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
          const std::int64_t row = r * how.stride.height - how.padding.height + i * how.dilation.height;
          const std::int64_t column = c * how.stride.height - how.padding.height + j * how.dilation.height;
          if (row < 0 || row >= height || column < 0 || column >= width) continue;
          sum += double(x[((n * in + k) * height + row) * width + column]) * w[((o * in + k) * rows + i) * columns + j];
        }
    return sum;
  }

  template <class Numbers>
  Doubles reference(const Numbers& x, const Numbers& w, const std::vector<float>& b) const {
    Doubles y;
    for (std::int64_t i = 0; i < count(); ++i) y.push_back(result(i, x, w, b));
    return y;
  }
};

TEST(Convolution, equals_double_precision) {
  // The last has so many terms that it is done as a product of matrices.
  for (const ConvolutionCase& k :
       {ConvolutionCase{2, 3, 6, 5, 9, 3, 3, {1, 0, 1}}, ConvolutionCase{1, 2, 7, 8, 3, 3, 2, {2, 1, 1}},
        ConvolutionCase{2, 2, 7, 7, 2, 2, 3, {1, 2, 2}}, ConvolutionCase{1, 60, 3, 3, 2, 3, 3, {1, 1, 1}}}) {
    const std::int64_t rows = k.out_rows(), columns = k.out_columns();
    const auto x = numbers(k.batch * k.in * k.height * k.width), w = numbers(k.out * k.in * k.rows * k.columns),
               b = numbers(k.out);
    const auto g = numbers(k.batch * k.out * rows * columns);
    auto reference = [&](const Doubles& x, const Doubles& w) { return k.reference(x, w, b); };
    const Tensor tx = kernels::from_vector(x, {k.batch, k.in, k.height, k.width}),
                 tw = kernels::from_vector(w, {k.out, k.in, k.rows, k.columns});
    const Tensor tg = kernels::from_vector(g, {k.batch, k.out, rows, columns});
    expect_near(kernels::conv2d(tx, tw, kernels::from_vector(b), k.how), reference(doubles(x), doubles(w)), 1e-5,
                "conv2d");
    expect_gradient(
        kernels::conv2d_input_gradient(tg, tw, tx.sizes(), k.how),
        [&](const Doubles& v) { return reference(v, doubles(w)); }, x, g, "x");
    expect_gradient(
        kernels::conv2d_weight_gradient(tg, tx, tw.sizes(), k.how),
        [&](const Doubles& v) { return reference(doubles(x), v); }, w, g, "w");
  }
}

// Some results of the shapes that have kernels of their own on a GPU.
TEST(Convolution, of_many_images_equals_double_precision) {
  for (const ConvolutionCase& k :
       {ConvolutionCase{9, 3, 64, 64, 64, 3, 3, {1, 0, 1}}, ConvolutionCase{8, 4, 56, 57, 47, 3, 3, {1, 1, 1}},
        ConvolutionCase{8, 2, 120, 56, 90, 3, 3, {2, 1, 1}}}) {
    const auto x = numbers(k.batch * k.in * k.height * k.width), w = numbers(k.out * k.in * k.rows * k.columns),
               b = numbers(k.out);
    const Tensor tx = kernels::from_vector(x, {k.batch, k.in, k.height, k.width}),
                 tw = kernels::from_vector(w, {k.out, k.in, k.rows, k.columns});
    const auto y = kernels::conv2d(tx, tw, kernels::from_vector(b), k.how).to_vector<float>();
    ASSERT_EQ(static_cast<std::int64_t>(y.size()), k.count());
    for (std::int64_t i = 0; i < k.count(); i += 997) ASSERT_NEAR(y[i], k.result(i, x, w, b), 1e-4) << i;
  }
}

// Rows of more results than are computed at once, and the numbers of channels for which there are kernels of their own.
TEST(Convolution, of_wide_images_equals_double_precision) {
  for (int i = 0; i < 24; ++i) {
    const ConvolutionCase k{2,
                            1 + i % 6,
                            9 + i % 4,
                            9 + i * 4,
                            1 + i % 9,
                            i % 3 ? 3 : 1 + i % 4,
                            i % 3 ? 3 : 1 + i % 5,
                            {1 + i % 3, i % 4, 1 + i % 2}};
    const auto x = numbers(k.batch * k.in * k.height * k.width), w = numbers(k.out * k.in * k.rows * k.columns),
               b = numbers(k.out);
    const Tensor tx = kernels::from_vector(x, {k.batch, k.in, k.height, k.width}),
                 tw = kernels::from_vector(w, {k.out, k.in, k.rows, k.columns});
    expect_near(kernels::conv2d(tx, tw, kernels::from_vector(b), k.how), k.reference(x, w, b), 1e-5, "conv2d");
  }
}

TEST(CrossEntropy, equals_double_precision) {
  for (std::int64_t columns : {3, 40, 1500}) {
    const std::int64_t rows = 6;
    const auto x = numbers(rows * columns);
    std::vector<std::int64_t> classes;
    for (std::int64_t i = 0; i < rows; ++i) classes.push_back(i * 7 % columns);
    const Function reference = [&](const Doubles& x) {
      const Doubles logarithms = softmax_of(columns, true)(x);
      double loss = 0;
      for (std::int64_t i = 0; i < rows; ++i) loss -= logarithms[i * columns + classes[i]] / rows;
      return Doubles{loss};
    };
    const Tensor logits = kernels::from_vector(x, {rows, columns}), own = kernels::from_vector(classes);
    const kernels::CrossEntropy forward = kernels::cross_entropy(logits, own, {});
    expect_near(forward.loss, reference(doubles(x)), 1e-5, "loss");
    if (columns > 1000) continue;
    expect_gradient(kernels::cross_entropy_backward(kernels::from_vector<float>({2}, {}), logits, own, forward, {}),
                    reference, x, {2}, "gradient");
    const kernels::CrossEntropy both = kernels::cross_entropy(logits, own, {}, true);
    EXPECT_EQ(both.loss.item<float>(), forward.loss.item<float>());
    expect_gradient(both.gradient, reference, x, {1}, "gradient made with the loss");
  }
}

TEST(SquaredError, equals_double_precision) {
  for (kernels::Reduction reduction : {kernels::Reduction::mean, kernels::Reduction::sum}) {
    const std::int64_t n = 3000;
    const auto x = numbers(n), t = numbers(n);
    double loss = 0;
    Doubles gradient;
    const double share = reduction == kernels::Reduction::mean ? 1.0 / n : 1;
    for (std::int64_t i = 0; i < n; ++i) {
      loss += share * (x[i] - t[i]) * (x[i] - t[i]);
      gradient.push_back(3 * share * 2 * (x[i] - t[i]));
    }
    const Tensor tx = kernels::from_vector(x), tt = kernels::from_vector(t);
    expect_near(kernels::squared_error(tx, tt, reduction), {loss}, 1e-5, "loss");
    expect_near(kernels::squared_error_backward(kernels::from_vector<float>({3}, {}), tx, tt, reduction), gradient,
                1e-5, "gradient");
    const kernels::LossAndGradient both = kernels::squared_error_and_gradient(tx, tt, reduction);
    expect_near(both.loss, {loss}, 1e-5, "loss");
    for (double& value : gradient) value /= 3;
    expect_near(both.gradient, gradient, 1e-5, "gradient");
  }
}

TEST(Network, errors_name_shapes) {
  auto message = [](auto call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  const Tensor x = kernels::zeros({2, 3});
  EXPECT_EQ(message([&] { kernels::softmax(kernels::zeros({2}, DType::i64), 0); }),
            "softmax: expects a floating type, not i64 of [2]");
  EXPECT_EQ(message([&] { kernels::layer_norm(x, kernels::zeros({2}), {}); }),
            "layer_norm: a weight of [2] for rows of [2, 3]");
  EXPECT_EQ(message([&] { kernels::cross_entropy(x, kernels::zeros({3}, DType::i64), {}); }),
            "cross_entropy: expects logits [rows, classes] and classes [rows], not [2, 3] and [3]");
  EXPECT_EQ(message([&] { kernels::squared_error(x, kernels::zeros({3}), kernels::Reduction::sum); }),
            "mse_loss: a target of [3] for [2, 3]");
  EXPECT_EQ(message([&] { kernels::max_pool2d(x, {}); }),
            "max_pool2d: expects images [batch, channels, height, width], not [2, 3]");
  EXPECT_EQ(message([&] { kernels::dropout(x, 2); }), "dropout of [2, 3]: a probability is between 0 and 1, not 2");
}
