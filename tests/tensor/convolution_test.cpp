// Convolutions of every kind against plain loops, and their gradients, eagerly and replayed.
#include <reprise/autograd.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/ops.h>

#include <cmath>

#include "error_of.h"
#include "values.h"

using namespace reprise;

namespace {

struct Case {
  Sizes x, weight;
  IntPair stride = 1, padding = 0, dilation = 1;
  std::int64_t groups = 1;
};

const Case cases[] = {
    {{2, 3, 9, 7}, {4, 3, 3, 3}},
    {{2, 3, 9, 7}, {4, 3, 3, 2}, {2, 1}, {1, 2}, {1, 2}},
    {{3, 6, 8, 8}, {4, 3, 3, 3}, 1, 1, 1, 2},
    {{1, 8, 10, 10}, {8, 1, 3, 3}, 2, 1, 1, 8},
    {{5, 16, 12, 12}, {32, 16, 5, 5}, 1, 2},
    {{1, 64, 14, 14}, {64, 64, 3, 3}, 1, 1},  // divided by channels
    {{7, 24, 13, 11}, {40, 24, 3, 3}, 2, 0, 2},
    {{2, 3, 10, 10}, {4, 3, 3, 3}, 4, 0},  // windows that do not reach the end
};

Values waves(const Sizes& sizes, double frequency) {
  Values made(static_cast<std::size_t>(product(sizes)));
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = static_cast<float>(std::sin(frequency * static_cast<double>(i)));
  return made;
}

struct Loops {
  std::vector<double> y, dx, dw;
  Sizes sizes;
};

// The convolution and its gradients for the gradient `g` of the result (in doubles, by its definition).
Loops loops(const Case& c, const Values& x, const Values& w, const Values& bias, double frequency_of_gradient) {
  const std::int64_t n = c.x[0], in = c.x[1], h = c.x[2], wd = c.x[3], out = c.weight[0], per = c.weight[1],
                     rows = c.weight[2], columns = c.weight[3], out_per = out / c.groups;
  const std::int64_t oh = (h + 2 * c.padding.height - c.dilation.height * (rows - 1) - 1) / c.stride.height + 1,
                     ow = (wd + 2 * c.padding.width - c.dilation.width * (columns - 1) - 1) / c.stride.width + 1;
  Loops made{std::vector<double>(static_cast<std::size_t>(n * out * oh * ow)),
             std::vector<double>(x.size()),
             std::vector<double>(w.size()),
             {n, out, oh, ow}};
  const Values g = waves(made.sizes, frequency_of_gradient);
  for (std::int64_t b = 0; b < n; ++b)
    for (std::int64_t o = 0; o < out; ++o)
      for (std::int64_t i = 0; i < oh; ++i)
        for (std::int64_t j = 0; j < ow; ++j) {
          const auto at = static_cast<std::size_t>(((b * out + o) * oh + i) * ow + j);
          made.y[at] = bias[static_cast<std::size_t>(o)];
          for (std::int64_t k = 0; k < per; ++k)
            for (std::int64_t r = 0; r < rows; ++r)
              for (std::int64_t s = 0; s < columns; ++s) {
                const std::int64_t row = i * c.stride.height - c.padding.height + r * c.dilation.height,
                                   column = j * c.stride.width - c.padding.width + s * c.dilation.width;
                if (row < 0 || row >= h || column < 0 || column >= wd) continue;
                const std::int64_t channel = o / out_per * per + k;
                const auto from = static_cast<std::size_t>(((b * in + channel) * h + row) * wd + column),
                           filter = static_cast<std::size_t>(((o * per + k) * rows + r) * columns + s);
                made.y[at] += double{x[from]} * w[filter];
                made.dx[from] += double{g[at]} * w[filter];
                made.dw[filter] += double{g[at]} * x[from];
              }
        }
  return made;
}

void expect_near(const Tensor& found, const std::vector<double>& expected, const std::string& what) {
  const Values own = values(found);
  ASSERT_EQ(own.size(), expected.size()) << what;
  double most = 1;
  for (double value : expected) most = std::max(most, std::abs(value));
  for (std::size_t i = 0; i < own.size(); ++i) ASSERT_NEAR(own[i], expected[i], 2e-5 * most) << what << " at " << i;
}

TEST(Convolution, EqualsLoopsForwardAndBackward) {
  for (const Case& c : cases) {
    const Values x = waves(c.x, 0.71), w = waves(c.weight, 0.37), bias = waves({c.weight[0]}, 0.5);
    const Loops expected = loops(c, x, w, bias, 1.3);
    const Tensor image = from_vector(x, c.x).requires_grad_(), filter = from_vector(w, c.weight).requires_grad_(),
                 shift = from_vector(bias).requires_grad_();
    const Tensor y = conv2d(image, filter, shift, c.stride, c.padding, c.dilation, c.groups);
    std::ostringstream what;
    what << c.x << " by " << c.weight << " in " << c.groups;
    ASSERT_EQ(y.sizes(), expected.sizes) << what.str();
    ASSERT_NO_FATAL_FAILURE(expect_near(y, expected.y, what.str()));
    y.backward(from_vector(waves(expected.sizes, 1.3), expected.sizes));
    ASSERT_NO_FATAL_FAILURE(expect_near(image.grad(), expected.dx, what.str() + ": gradient of the image"));
    ASSERT_NO_FATAL_FAILURE(expect_near(filter.grad(), expected.dw, what.str() + ": gradient of the filters"));
  }
}

TEST(Convolution, IsReplayedWithNewInputs) {
  const Case& c = cases[4];
  Tensor x = zeros(c.x), g;
  const Values w = waves(c.weight, 0.37), bias(static_cast<std::size_t>(c.weight[0]));
  const Tensor weight = from_vector(w, c.weight).requires_grad_();
  const Loops shape = loops(c, values(x), w, bias, 1.3);
  const Tensor gradient = from_vector(waves(shape.sizes, 1.3), shape.sizes);
  Tensor y;
  CUDAGraph graph;
  graph.capture([&] {
    weight.set_grad({});
    y = conv2d(x, weight, {}, c.stride, c.padding, c.dilation, c.groups);
    y.backward(gradient);
  });
  for (double frequency : {0.71, 0.93}) {
    const Values now = waves(c.x, frequency);
    x.copy_(from_vector(now, c.x));
    graph.replay();
    const Loops expected = loops(c, now, w, bias, 1.3);
    ASSERT_NO_FATAL_FAILURE(expect_near(y, expected.y, "replayed"));
    ASSERT_NO_FATAL_FAILURE(expect_near(weight.grad(), expected.dw, "replayed gradient"));
  }
}

TEST(Convolution, OfOneDimensionAndTransposed) {
  // Values of PyTorch's conv1d and conv_transpose2d.
  EXPECT_EQ(
      values(conv1d(from_vector(Values{1, 2, 3, 4, 5}, {1, 1, 5}), from_vector(Values{1, 0, -1}, {1, 1, 3}), {}, 2, 1)),
      Values({-2, -2, 4}));
  const Tensor y = conv_transpose2d(from_vector(Values{1, 2, 3, 4}, {1, 1, 2, 2}),
                                    from_vector(Values{1, 10, 100, 1000}, {1, 1, 2, 2}), tensor({0.5}), 2, 0, {1, 0});
  EXPECT_EQ(y.sizes(), (Sizes{1, 1, 5, 4}));
  EXPECT_EQ(values(y), Values({1.5, 10.5, 2.5,   20.5,   100.5, 1000.5, 200.5, 2000.5, 3.5, 30.5,
                               4.5, 40.5, 300.5, 3000.5, 400.5, 4000.5, 0.5,   0.5,    0.5, 0.5}));
  EXPECT_TRUE(
      says(error_of([] { conv2d(zeros({1, 3, 4, 4}), zeros({2, 2, 3, 3})); }), "[1, 3, 4, 4] and [2, 2, 3, 3]"));
}

}  // namespace
