// The number of launches per operation, counted in a captured graph, as documented in docs/tensor.md.
#include <gtest/gtest.h>
#include <reprise/cuda_graph.h>
#include <reprise/factories.h>
#include <reprise/grad_mode.h>
#include <reprise/ops.h>

#include <functional>

using namespace reprise;

namespace {

std::size_t launches(const std::function<Tensor()>& operation) {
  NoGradGuard no_grad;
  CUDAGraph graph;
  Tensor result;
  graph.capture([&] { result = operation(); });
  return graph.node_count();
}

struct Operation {
  const char* name;
  std::function<Tensor()> call;
};

TEST(Launches, OfMostOperationsAreOne) {
  const Tensor x = randn({8, 12}), y = randn({8, 12}), row = randn({12}), image = randn({2, 3, 8, 8}),
               condition = x > 0;
  const Tensor indices = zeros({5}, DType::i64), half = x.to(DType::f16);
  const Operation all[] = {
      {"add", [&] { return x + y; }},
      {"add, broadcast", [&] { return x + row; }},
      {"add, transposed", [&] { return x.t() + y.t(); }},
      {"add, f16", [&] { return half + half; }},
      {"add, f16 and f32", [&] { return half + x; }},
      {"pow", [&] { return pow(x, 2); }},
      {"exp", [&] { return exp(x); }},
      {"gelu", [&] { return gelu(x); }},
      {"relu, f16", [&] { return relu(half); }},
      {"where", [&] { return where(condition, x, y); }},
      {"clamp", [&] { return clamp(x, -1, 1); }},
      {"compare", [&] { return x < y; }},
      {"to", [&] { return x.to(DType::bf16); }},
      {"contiguous", [&] { return x.t().contiguous(); }},
      {"sum", [&] { return sum(x); }},
      {"sum of rows", [&] { return sum(x, {1}); }},
      {"sum of columns", [&] { return sum(x, {0}); }},
      {"mean", [&] { return mean(x, {1}); }},
      {"argmax", [&] { return argmax(x, 1); }},
      {"softmax", [&] { return softmax(x); }},
      {"log_softmax", [&] { return log_softmax(x); }},
      {"layer_norm", [&] { return layer_norm(x, row, row); }},
      {"embedding", [&] { return embedding(indices, x); }},
      {"max_pool2d", [&] { return max_pool2d(image, 2); }},
      {"avg_pool2d", [&] { return avg_pool2d(image, 2); }},
      {"arange", [&] { return arange(7); }},
      {"full", [&] { return full({7, 3}, 2); }},
  };
  for (const Operation& one : all) EXPECT_EQ(launches(one.call), 1u) << one.name;
}

TEST(Launches, OfTheOthersAreFew) {
  const Tensor x = randn({8, 12}), wide = randn({4, 8, 12}), weight = randn({6, 12}), bias = randn({6});
  const Tensor image = randn({2, 3, 8, 8}), filters = randn({4, 3, 3, 3}), classes = zeros({8}, DType::i64),
               half = x.to(DType::f16);
  struct Several : Operation {
    std::size_t most;
  };
  const Several all[] = {
      {{"matmul", [&] { return matmul(x, x.t()); }}, 2},
      {{"linear", [&] { return linear(x, weight, bias); }}, 2},
      {{"linear_relu", [&] { return linear_relu(x, weight, bias); }}, 2},
      {{"conv2d", [&] { return conv2d(image, filters, zeros({4})); }}, 5},
      {{"cross_entropy", [&] { return cross_entropy(x, classes); }}, 3},
      {{"mse_loss", [&] { return mse_loss(x, x); }}, 2},
      {{"max along a dimension, with indices", [&] { return max(x, 1).values; }}, 2},
      {{"cat", [&] { return cat({x, x, x}); }}, 3},
      {{"softmax along the first dimension", [&] { return softmax(x, 0); }}, 3},
      {{"softmax in f16", [&] { return softmax(half); }}, 3},
      {{"dropout, which moves its generator on", [&] { return dropout(x, 0.5); }}, 2},
      {{"attention", [&] { return scaled_dot_product_attention(wide, wide, wide); }}, 6},
  };
  for (const Several& one : all) {
    const std::size_t counted = launches(one.call);
    EXPECT_GE(counted, 1u) << one.name;
    EXPECT_LE(counted, one.most) << one.name;
    RecordProperty(one.name, static_cast<int>(counted));
  }
}

}  // namespace
