// Random numbers in graphs equal those of eager work.
#include <gtest/gtest.h>
#include <reprise/cuda_graph.h>
#include <reprise/ops.h>
#include <reprise/random.h>

#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "values.h"

namespace reprise {
namespace {

TEST(GraphRandomTest, InterleavedWithEagerEqualsEager) {
  auto eager = [] {
    std::vector<Values> drawn;
    Generator generator(42);
    for (int i = 0; i < 12; ++i) {
      for (int part = 0; part < (i % 3 == 0 ? 1 : 2); ++part)
        drawn.push_back(values(kernels::randn({37}, DType::f32, generator)));
    }
    return drawn;
  }();
  std::vector<Values> drawn;
  Generator generator(42);
  CUDAGraph graph;
  Tensor a, b;
  graph.capture([&] {
    a = kernels::randn({37}, DType::f32, generator);
    b = kernels::randn({37}, DType::f32, generator);
  });
  EXPECT_EQ(generator.offset(), 0u) << "a capture draws nothing";
  for (int i = 0; i < 12; ++i) {
    if (i % 3 == 0) {
      drawn.push_back(values(kernels::randn({37}, DType::f32, generator)));
    } else {
      graph.replay();
      drawn.push_back(values(a));
      drawn.push_back(values(b));
    }
  }
  EXPECT_EQ(drawn, eager);
  EXPECT_NE(drawn[1], drawn[2]);
}

TEST(GraphRandomTest, ReseedingIsHonoured) {
  Generator generator(1);
  CUDAGraph graph;
  Tensor x;
  graph.capture([&] { x = kernels::rand({16}, DType::f32, generator); });
  graph.replay();
  Values first = values(x);
  graph.replay();
  EXPECT_NE(values(x), first);
  generator.manual_seed(1);
  graph.replay();
  EXPECT_EQ(values(x), first);
  generator.manual_seed(2);
  graph.replay();
  EXPECT_NE(values(x), first);
}

TEST(GraphRandomTest, SeveralGeneratorsAndGraphs) {
  Generator one(1), two(2), eager_one(1), eager_two(2);
  CUDAGraph first, second;
  Tensor a, b, c;
  first.capture([&] {
    a = kernels::rand({9}, DType::f32, one);
    b = kernels::rand({9}, DType::f32, two);
  });
  second.capture([&] { c = kernels::rand({9}, DType::f32, one); });
  for (int i = 0; i < 4; ++i) {
    first.replay();
    EXPECT_EQ(values(a), values(kernels::rand({9}, DType::f32, eager_one)));
    EXPECT_EQ(values(b), values(kernels::rand({9}, DType::f32, eager_two)));
    if (i % 2) continue;
    second.replay();
    EXPECT_EQ(values(c), values(kernels::rand({9}, DType::f32, eager_one)));
  }
}

}  // namespace
}  // namespace reprise
