// Tensors of more than 2^31 elements. The tests need about 40 GB and run only if REPRISE_LARGE_TESTS is set.
#include <reprise/autograd.h>
#include <reprise/factories.h>
#include <reprise/mem_pool.h>
#include <reprise/ops.h>
#include <reprise/optim.h>

#include <cstdlib>

#include "random_tensors.h"

using namespace reprise;
using namespace reprise::test;

namespace {

using Floats = std::vector<float>;

constexpr std::int64_t columns = 1 << 16, rows = (1 << 15) + 3, count = rows * columns;
static_assert(count > (std::int64_t{1} << 31), "");

class Large : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::getenv("REPRISE_LARGE_TESTS")) GTEST_SKIP() << "set REPRISE_LARGE_TESTS; it takes some 40 GB of memory";
  }
  void TearDown() override { empty_cache(); }

  // All elements are `value` except the last four, which are 1, 2, 3, 4.
  static Tensor with_end(double value, DType dtype) {
    Tensor x = full({count}, value, dtype);
    x.narrow(0, count - 4, 4).copy_(from_vector(Floats{1, 2, 3, 4}));
    return x;
  }
  static Floats end_of(const Tensor& x) {
    const Tensor flat = x.view({x.numel()});
    return flat.narrow(0, x.numel() - 4, 4).to(DType::f32).to_vector<float>();
  }
};

TEST_F(Large, Elementwise) {
  const Tensor x = with_end(-1, DType::f16);
  EXPECT_EQ(end_of(x + x), (Floats{2, 4, 6, 8}));
  EXPECT_EQ(end_of(x * 3 - 1), (Floats{2, 5, 8, 11}));
  EXPECT_EQ(end_of(neg(x)), (Floats{-1, -2, -3, -4}));
  EXPECT_EQ(end_of(x > 2), (Floats{0, 0, 1, 1}));
  EXPECT_EQ(end_of(where(x > 2, x, zeros({1}, DType::f16))), (Floats{0, 0, 3, 4}));
  EXPECT_EQ(end_of(x.view({rows, columns}) + full({columns}, 10, DType::f16)), (Floats{11, 12, 13, 14}));
  EXPECT_EQ(end_of(x.to(DType::bf16)), (Floats{1, 2, 3, 4}));
  Tensor y = x.clone();
  y.add_(x, 2);
  EXPECT_EQ(end_of(y), (Floats{3, 6, 9, 12}));
  EXPECT_EQ(end_of(clamp(x, -1, 2.5)), (Floats{1, 2, 2.5, 2.5}));
}

TEST_F(Large, Views) {
  const Tensor x = with_end(0, DType::boolean), turned = x.view({rows, columns}).t();
  EXPECT_EQ(turned.select(0, columns - 1).to(DType::f32).to_vector<float>().back(), 1);
  const Tensor dense = turned.contiguous();
  EXPECT_EQ(sum(dense.narrow(0, columns - 4, 4).select(1, rows - 1).to(DType::i64)).item<std::int64_t>(), 4);
  EXPECT_EQ(end_of(cat({x.narrow(0, 0, 7), x})), (Floats{1, 1, 1, 1}));
}

TEST_F(Large, Reductions) {
  const Tensor x = with_end(1, DType::boolean);
  EXPECT_EQ(sum(x).item<std::int64_t>(), count);
  const Tensor h = with_end(0, DType::f16);
  EXPECT_EQ(sum(h.to(DType::f32)).item<float>(), 10);
  EXPECT_EQ(max(h).item<float>(), 4);
  EXPECT_EQ(argmax(h, 0).item<std::int64_t>(), count - 1);
  EXPECT_EQ(end_of(sum(h.view({rows, columns}), {0})), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(sum(h.view({rows, columns}), {1}).to(DType::f32).to_vector<float>().back(), 10);
  EXPECT_NEAR(mean(h.view({rows, columns}).narrow(0, rows - 1, 1)).item<float>() * columns, 10, 0.1);
}

TEST_F(Large, Rows) {
  const Tensor x = with_end(-40, DType::f16).view({rows, columns});
  EXPECT_NEAR(end_of(softmax(x, 1))[3], std::exp(4.) / (std::exp(1.) + std::exp(2.) + std::exp(3.) + std::exp(4.)),
              1e-3);
  const Floats normal = end_of(layer_norm(x));
  EXPECT_GT(normal[3], normal[0]);
  EXPECT_TRUE(std::isfinite(normal[3]));
  const Tensor table = full({9, columns}, 2, DType::f16);
  EXPECT_EQ(end_of(embedding(zeros({rows}, DType::i64), table)), (Floats{2, 2, 2, 2}));
  const Floats dropped = end_of(dropout(full({count}, 1, DType::f16), 0.5));
  for (float each : dropped) EXPECT_TRUE(each == 0 || each == 2);
}

TEST_F(Large, Training) {
  Tensor x = with_end(0, DType::f16).requires_grad_();
  optim::SGD optimizer({x}, 0.5);
  sum((x * x).to(DType::f32)).backward();
  EXPECT_EQ(end_of(x.grad()), (Floats{2, 4, 6, 8}));
  EXPECT_NEAR(clip_grad_norm_({x}, 1e9).item<float>(), std::sqrt(120.), 1e-3);
  optimizer.step();
  EXPECT_EQ(end_of(x), (Floats{0, 0, 0, 0}));
}

TEST_F(Large, TooLargeTensorsThrow) {
  EXPECT_NE(error_of([] { rand({count}); }).find("is too large"), std::string::npos);
}

}  // namespace
