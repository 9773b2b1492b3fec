// Errors of operations name the operation and the shapes of its arguments.
#include <reprise/autograd.h>
#include <reprise/factories.h>
#include <reprise/ops.h>

#include <functional>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

struct Wrong {
  std::function<void()> call;
  const char* operation;
  std::vector<const char*> shapes;
};

TEST(Errors, NameTheOperationAndEveryShape) {
  const Tensor x = zeros({2, 3}), cube = zeros({2, 3, 4}), image = zeros({1, 2, 5, 6}), filters = zeros({3, 2, 3, 3});
  const Tensor whole = zeros({2, 3}, DType::i64), number = zeros({});
  const Wrong all[] = {
      // Sizes whose product overflows.
      {[&] { zeros({std::int64_t(1) << 40, std::int64_t(1) << 40}); }, "a tensor", {"[1099511627776, 1099511627776]"}},
      {[&] { zeros({std::int64_t(1) << 62}); }, "a tensor", {"[4611686018427387904]"}},
      {[&] { number.expand({std::int64_t(1) << 32, std::int64_t(1) << 32}); }, "expand", {"[4294967296, 4294967296]"}},
      // Elementwise, and in place.
      {[&] { x + zeros({4}); }, "add", {"[2, 3]", "[4]"}},
      {[&] { x - zeros({4}); }, "sub", {"[2, 3]", "[4]"}},
      {[&] { (void)(x * zeros({4})); }, "mul", {"[2, 3]", "[4]"}},
      {[&] { x / zeros({4}); }, "div", {"[2, 3]", "[4]"}},
      {[&] { pow(x, zeros({4})); }, "pow", {"[2, 3]", "[4]"}},
      {[&] { minimum(x, zeros({4})); }, "minimum", {"[2, 3]", "[4]"}},
      {[&] { maximum(x, zeros({4})); }, "maximum", {"[2, 3]", "[4]"}},
      {[&] { (void)(x < zeros({4})); }, "lt", {"[2, 3]", "[4]"}},
      {[&] { eq(x, zeros({4})); }, "eq", {"[2, 3]", "[4]"}},
      {[&] { logical_and(x > 0, zeros({4}, DType::boolean)); }, "logical_and", {"[2, 3]", "[4]"}},
      {[&] { where(x > 0, x, zeros({4})); }, "where", {"[2, 3]", "[4]"}},
      {[&] { where(x, x, x); }, "where", {"[2, 3]", "f32"}},
      {[&] { x.clone().add_(zeros({4})); }, "add", {"[2, 3]", "[4]"}},
      {[&] { x.clone().copy_(zeros({4})); }, "copy_", {"[2, 3]", "[4]"}},
      {[&] { zeros({1}).expand({4}).copy_(zeros({4})); }, "copy_", {"[4]"}},
      {[&] { zeros({3}).mul_(x); }, "mul", {"[2, 3]", "[3]"}},
      {[&] { zeros({2, 3}, DType::i64).uniform_(); }, "uniform_", {"[2, 3]", "i64"}},
      {[&] { whole.clone().add_(0.5); }, "add_", {"[2, 3]", "i64", "f32"}},
      {[&] { whole.clone().add_(whole, 0.5); }, "add_", {"[2, 3]", "i64", "0.5"}},
      {[&] { whole.clone().mul_(x); }, "mul_", {"[2, 3]", "i64", "f32"}},
      {[&] { whole.clone().div_(2); }, "div_", {"[2, 3]", "i64", "f32"}},
      {[&] { (x > 0).sub_(1); }, "sub_", {"[2, 3]", "bool", "i64"}},
      {[&] { x.clone().copy_(zeros({3}).requires_grad_()); }, "copy_", {"[3]"}},
      {[&] { mse_loss(whole, whole); }, "mse_loss", {"[2, 3]", "i64"}},
      // Reductions.
      {[&] { sum(x, {2}); }, "sum", {"[2, 3]", "2"}},
      {[&] { sum(x, {1, 1}); }, "sum", {"[2, 3]", "[1, 1]"}},
      {[&] { mean(x, {-3}); }, "mean", {"[2, 3]", "-3"}},
      {[&] { mean(whole); }, "mean", {"[2, 3]", "i64"}},
      {[&] { max(zeros({0, 3})); }, "max", {"[0, 3]"}},
      {[&] { max(x, 2); }, "max", {"[2, 3]", "2"}},
      {[&] { min(zeros({2, 0}), 1); }, "min", {"[2, 0]"}},
      {[&] { argmax(x, 5); }, "argmax", {"[2, 3]", "5"}},
      // Products.
      {[&] { matmul(x, x); }, "matmul", {"[2, 3] by [2, 3]"}},
      {[&] { matmul(zeros({5, 2, 3}), zeros({4, 3, 2})); }, "matmul", {"[5, 2, 3] by [4, 3, 2]"}},
      {[&] { matmul(whole, zeros({3, 2}, DType::i64)); }, "matmul", {"i64 [2, 3]", "i64 [3, 2]"}},
      {[&] { matmul(x, zeros({3, 2}, DType::f16)); }, "matmul", {"f32 [2, 3]", "f16 [3, 2]"}},
      {[&] { matmul(number, x); }, "matmul", {"[] by [2, 3]"}},
      {[&] { linear(x, zeros({4, 2})); }, "linear", {"[2, 3]", "[4, 2]"}},
      {[&] { linear(x, zeros({4, 3}), zeros({3})); }, "linear", {"[4, 3]", "[3]"}},
      {[&] { linear_relu(x, zeros({4, 2})); }, "linear", {"[2, 3]", "[4, 2]"}},
      // Views and joins.
      {[&] { x.view({4, 2}); }, "view", {"[2, 3]", "[4, 2]"}},
      {[&] { x.t().view({6}); }, "view", {"[3, 2]", "[6]"}},
      {[&] { x.reshape({-1, -1}); }, "reshape", {"[-1, -1]"}},
      {[&] { x.transpose(0, 2); }, "transpose", {"[2, 3]", "2"}},
      {[&] { cube.t(); }, "t", {"[2, 3, 4]"}},
      {[&] { x.permute({0}); }, "permute", {"[2, 3]", "[0]"}},
      {[&] { x.permute({0, 0}); }, "permute", {"[2, 3]", "[0, 0]"}},
      {[&] { x.narrow(1, 2, 2); }, "narrow", {"[2, 3]", "2 from 2"}},
      {[&] { x.select(1, 3); }, "select", {"[2, 3]", "3"}},
      {[&] { x.select(2, 0); }, "select", {"[2, 3]", "2"}},
      {[&] { x.squeeze(2); }, "squeeze", {"[2, 3]", "2"}},
      {[&] { x.unsqueeze(4); }, "unsqueeze", {"[2, 3]", "4"}},
      {[&] { x.expand({4, 3}); }, "expand", {"[2, 3]", "[4, 3]"}},
      {[&] { cube.flatten(2, 1); }, "flatten", {"[2, 3, 4]"}},
      {[&] { x.size(2); }, "size", {"[2, 3]", "2"}},
      {[&] { cat({x, zeros({2, 4})}, 0); }, "cat", {"[2, 3]", "[2, 4]"}},
      {[&] { cat({x, cube}); }, "cat", {"[2, 3]", "[2, 3, 4]"}},
      {[&] { cat({x}, 2); }, "cat", {"[2, 3]", "2"}},
      {[&] { stack({x, zeros({3, 2})}); }, "stack", {"[2, 3]", "[3, 2]"}},
      {[&] { stack({x}, 3); }, "stack", {"[2, 3]", "3"}},
      {[&] { split(x, 0); }, "split", {"[2, 3]", "0"}},
      {[&] { split(x, 1, 2); }, "split", {"[2, 3]", "2"}},
      // Networks.
      {[&] { softmax(x, 2); }, "softmax", {"[2, 3]", "2"}},
      {[&] { softmax(whole); }, "softmax", {"[2, 3]", "i64"}},
      {[&] { log_softmax(x, -3); }, "log_softmax", {"[2, 3]", "-3"}},
      {[&] { layer_norm(number); }, "layer_norm", {"[]"}},
      {[&] { layer_norm(cube, zeros({3})); }, "layer_norm", {"[2, 3, 4]", "[3]"}},
      {[&] { layer_norm(cube, zeros({4}), zeros({4, 1})); }, "layer_norm", {"[2, 3, 4]", "[4, 1]"}},
      {[&] { dropout(x, 1.5); }, "dropout", {"[2, 3]", "1.5"}},
      {[&] { embedding(x, x); }, "embedding", {"[2, 3]", "f32"}},
      {[&] { embedding(whole, cube); }, "embedding", {"[2, 3, 4]"}},
      {[&] { conv2d(x, filters); }, "conv2d", {"[2, 3]", "[3, 2, 3, 3]"}},
      {[&] { conv2d(image, zeros({3, 4, 3, 3})); }, "conv2d", {"[1, 2, 5, 6]", "[3, 4, 3, 3]"}},
      {[&] { conv2d(image, filters, zeros({2})); }, "conv2d", {"[2]", "[3, 2, 3, 3]"}},
      {[&] { conv2d(image, filters, {}, 0); }, "conv2d", {"[1, 2, 5, 6]", "[3, 2, 3, 3]", "stride 0"}},
      {[&] { conv2d(image, filters, {}, 1, 0, 3); }, "conv2d", {"[1, 2, 5, 6]", "[3, 2, 3, 3]"}},
      {[&] { max_pool2d(x, 2); }, "max_pool2d", {"[2, 3]"}},
      {[&] { max_pool2d(image, 7); }, "max_pool2d", {"[1, 2, 5, 6]", "7"}},
      {[&] { avg_pool2d(image, 2, 1, 2); }, "avg_pool2d", {"[1, 2, 5, 6]", "padding 2"}},
      {[&] { scaled_dot_product_attention(cube, zeros({2, 3, 5}), cube); }, "attention", {"[2, 3, 4]", "[2, 3, 5]"}},
      {[&] { scaled_dot_product_attention(cube, cube, zeros({4})); }, "attention", {"[2, 3, 4]", "[4]"}},
      {[&] { cross_entropy(x, zeros({3}, DType::i64)); }, "cross_entropy", {"[2, 3]", "[3]"}},
      {[&] { cross_entropy(x, zeros({2})); }, "cross_entropy", {"[2]", "f32"}},
      {[&] { mse_loss(x, zeros({3})); }, "mse_loss", {"[2, 3]", "[3]"}},
      // To and from the host, and gradients.
      {[&] { x.item<float>(); }, "item", {"[2, 3]"}},
      {[&] { from_vector(std::vector<float>{1, 2}, {3}); }, "from_vector", {"2", "[3]"}},
      {[&] { zeros({2, 3}, DType::i64).requires_grad_(); }, "requires_grad_", {"[2, 3]", "i64"}},
      {[&] { zeros({2, 3}).set_grad(zeros({3})); }, "set_grad", {"[2, 3]", "[3]"}},
      {[&] { (zeros({2, 3}).requires_grad_() * 2).backward(); }, "backward", {"[2, 3]"}},
  };
  for (const Wrong& wrong : all) {
    const std::string message = error_of(wrong.call);
    EXPECT_EQ(message.find(wrong.operation), 0u) << wrong.operation << ": " << message;
    for (const char* shape : wrong.shapes)
      EXPECT_NE(message.find(shape), std::string::npos) << shape << " in: " << message;
  }
}

}  // namespace
