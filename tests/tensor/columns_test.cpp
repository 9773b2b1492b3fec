// Reductions and softmax along another dimension than the last, which have kernels for columns, against those along the
// last.
#include <reprise/autograd.h>
#include <reprise/factories.h>
#include <reprise/ops.h>

#include <cmath>

#include "values.h"

using namespace reprise;

namespace {

void expect_near(const Tensor& found, const Tensor& expected, const std::string& what, float tolerance = 2e-5f) {
  const Values a = values(found), b = values(expected);
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], tolerance * std::max(1.0f, std::abs(b[i]))) << what << " at " << i;
}

// Fewer columns than a strip, one strip, and strips with a rest; short lines and lines that are divided.
const Sizes shapes[] = {{3, 5, 16}, {2, 40, 64}, {1, 700, 130}, {4, 9, 77}, {1, 1, 200}};

TEST(Columns, SumsAndExtremaEqualThoseOfTheTransposed) {
  manual_seed(1);
  for (const Sizes& sizes : shapes) {
    const Tensor x = randn(sizes), turned = x.transpose(1, 2).contiguous();
    expect_near(sum(x, {1}), sum(turned, {2}), "sum");
    expect_near(mean(x, {1}), mean(turned, {2}), "mean");
    expect_near(max(x, 1).values, max(turned, 2).values, "max");
    expect_near(amin(x, {1}), amin(turned, {2}), "amin");
  }
}

TEST(Columns, SoftmaxAndItsGradientEqualThoseOfTheTransposed) {
  manual_seed(2);
  for (const Sizes& sizes : shapes) {
    for (bool logarithm : {false, true}) {
      const Tensor x = randn(sizes).requires_grad_(), turned = x.detach().transpose(1, 2).contiguous().requires_grad_();
      const Tensor y = logarithm ? log_softmax(x, 1) : softmax(x, 1),
                   z = logarithm ? log_softmax(turned, 2) : softmax(turned, 2);
      expect_near(y, z.transpose(1, 2), "softmax");
      const Tensor g = randn(sizes);
      y.backward(g);
      z.backward(g.transpose(1, 2).contiguous());
      expect_near(x.grad(), turned.grad().transpose(1, 2), "gradient", 1e-4f);
    }
  }
}

}  // namespace
