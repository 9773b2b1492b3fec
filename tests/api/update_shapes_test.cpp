// Kernels whose grid, block, shared memory or function changes with an update of the whole graph, and stays the same
// when the update fails.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "hand_made_kernels.h"

namespace {

using reprise_runtime::test::parameter;

struct Seen {
  unsigned grid = 0, block = 0, shared = 0;
  uint64_t argument = 0;
  int function = 0;

  bool operator==(const Seen&) const = default;
};

template <int function>
void look(const void* params, const reprise_launch* launch) {
  // The whole shared memory is accessible.
  std::memset(launch->shared, 1, launch->dynamic_shared);
  if (launch->block_begin > 0) return;
  *parameter<Seen*>(params, 0) = {launch->grid[0], launch->block[0], launch->dynamic_shared,
                                  parameter<uint64_t>(params, 8), function};
}

constexpr reprise_param two_words[] = {{0, 8}, {8, 8}};
constexpr reprise_kernel kernels[] = {{"look_1", look<1>, two_words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"look_2", look<2>, two_words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char stubs[2];
const void* const stub_pointers[] = {&stubs[0], &stubs[1]};
reprise_runtime::test::Registered module("update_shapes", kernels, 2, stub_pointers);

// The launch shape that each kernel of a chain expects.
using Shapes = std::vector<Seen>;

std::vector<Seen> seen(8);

// An empty node comes first, or another kernel, which makes an update impossible: an update reaches it last.
cudaGraph_t chain(const Shapes& shapes, bool begins_with_empty = true) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  cudaGraphNode_t last = nullptr;
  auto add_kernel = [&](const Seen& shape, Seen* to) {
    uint64_t argument = shape.argument;
    void* arguments[] = {&to, &argument};
    cudaKernelNodeParams params = {};
    params.func = &stubs[shape.function - 1];
    params.gridDim = dim3(shape.grid);
    params.blockDim = dim3(shape.block);
    params.sharedMemBytes = shape.shared;
    params.kernelParams = arguments;
    const cudaGraphNode_t before = last;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&last, graph, &before, before ? 1 : 0, &params));
  };
  if (begins_with_empty) {
    EXPECT_EQ(cudaSuccess, cudaGraphAddEmptyNode(&last, graph, nullptr, 0));
  } else {
    add_kernel(shapes[0], &seen.back());
  }
  for (size_t i = 0; i < shapes.size(); ++i) add_kernel(shapes[i], &seen[i]);
  return graph;
}

class UpdateShapes : public testing::Test {
 protected:
  void SetUp() override {
    const cudaGraph_t graph = chain(first);
    ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
    ASSERT_EQ(cudaSuccess, cudaGraphDestroy(graph));
    expect(first);
  }
  void TearDown() override { EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec)); }

  void expect(const Shapes& shapes) {
    seen.assign(seen.size(), {});
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
    ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
    for (size_t i = 0; i < shapes.size(); ++i) EXPECT_TRUE(shapes[i] == seen[i]) << "kernel " << i;
  }
  void update(const Shapes& shapes, cudaError_t expected, bool begins_with_empty = true) {
    const cudaGraph_t graph = chain(shapes, begins_with_empty);
    EXPECT_EQ(expected, cudaGraphExecUpdate(exec, graph, nullptr));
    (void)cudaGetLastError();
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  }

  const Shapes first = {{1, 1, 0, 10, 1}, {1, 32, 64, 11, 1}, {3, 4, 0, 12, 2}, {1, 1, 0, 13, 1}};
  const Shapes second = {{1, 1, 40'000, 20, 1}, {1000, 32, 64, 21, 1}, {1, 4, 0, 22, 1}, {1, 1, 0, 23, 1}};
  cudaGraphExec_t exec = nullptr;
};

TEST_F(UpdateShapes, AreThoseOfTheOtherGraph) {
  update(second, cudaSuccess);
  expect(second);
  update(first, cudaSuccess);
  expect(first);
}

// A kernel that had no shared memory gets some, but not more than others have.
TEST_F(UpdateShapes, MayUseTheMemoryThatOthersUse) {
  Shapes shapes = first;
  shapes[0].shared = shapes[1].shared;
  expect(first);  // the second replay; the third does not check again which resources kernels need
  update(shapes, cudaSuccess);
  expect(shapes);
}

TEST_F(UpdateShapes, StayWhenTheUpdateFails) {
  update(second, cudaErrorGraphExecUpdateFailure, false);
  expect(first);
  update(second, cudaSuccess);
  update(first, cudaErrorGraphExecUpdateFailure, false);
  expect(second);
}

}  // namespace
