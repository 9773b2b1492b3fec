// Kernels with argument blocks of every size: in an executable graph they are aligned as kernels expect, and changing
// them leaves neighbouring data alone.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <future>
#include <memory>
#include <string>

#include "hand_made_kernels.h"

namespace {

constexpr uint32_t most = 256;
std::array<unsigned char, most> seen;
bool aligned;
uint32_t bytes;  // of the kernel that is launched

void look(const void* params, const reprise_launch*) {
  aligned = reinterpret_cast<uintptr_t>(params) % 16 == 0;
  std::memcpy(seen.data(), params, bytes);
}

// One kernel per size, with all its bytes as one argument.
struct Kernels {
  std::string names[most + 1];
  reprise_param params[most + 1];
  reprise_kernel kernels[most + 1];
  char stubs[most + 1];
  const void* stub_pointers[most + 1];
  std::unique_ptr<reprise_runtime::test::Registered> module;

  Kernels() {
    for (uint32_t i = 0; i <= most; ++i) {
      names[i] = "look" + std::to_string(i);
      params[i] = {0, i};
      kernels[i] = {names[i].c_str(), look, &params[i], 1, i, 0, 0, 0, 0, 0, 0, 0, 0, {}};
      stub_pointers[i] = &stubs[i];
    }
    module = std::make_unique<reprise_runtime::test::Registered>("update_sizes", kernels, most + 1, stub_pointers);
  }
} kernels;

// A kernel whose arguments are all `value`, and a host function after it.
struct Graph {
  std::array<unsigned char, most> values;
  void* pointers[1] = {values.data()};
  cudaKernelNodeParams params = {};
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t kernel = nullptr;

  Graph(unsigned char value, int* calls) {
    values.fill(value);
    params.func = &kernels.stubs[bytes];
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = pointers;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &params));
    const cudaHostNodeParams host = {[](void* count) { ++*static_cast<int*>(count); }, calls};
    cudaGraphNode_t after = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddHostNode(&after, graph, &kernel, 1, &host));
  }
  ~Graph() { EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph)); }
  Graph(const Graph&) = delete;
};

class UpdateSizes : public testing::TestWithParam<uint32_t> {
 protected:
  void SetUp() override { bytes = GetParam(); }
  void expect_seen(unsigned char value) {
    ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
    EXPECT_TRUE(aligned);
    for (uint32_t i = 0; i < bytes; ++i) ASSERT_EQ(value, seen[i]) << "byte " << i << " of " << bytes;
  }
};

TEST_P(UpdateSizes, AtOnceAndWhileALaunchIsQueued) {
  int calls = 0;
  Graph first(1, &calls), second(2, &calls), third(3, &calls), fourth(4, &calls);
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, first.graph, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  expect_seen(1);
  ASSERT_EQ(cudaSuccess, cudaGraphExecUpdate(exec, second.graph, nullptr));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  expect_seen(2);

  std::promise<void> gate;
  std::future<void> opened = gate.get_future();
  auto wait = [](void* gate) { static_cast<std::future<void>*>(gate)->wait(); };
  ASSERT_EQ(cudaSuccess, cudaLaunchHostFunc(nullptr, wait, &opened));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  ASSERT_EQ(cudaSuccess, cudaGraphExecUpdate(exec, third.graph, nullptr));
  ASSERT_EQ(cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, first.kernel, &fourth.params));
  ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  gate.set_value();
  expect_seen(4);
  EXPECT_EQ(4, calls);
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
}

// Sizes around whole words, and between them.
INSTANTIATE_TEST_SUITE_P(Bytes, UpdateSizes,
                         testing::Values(1, 8, 9, 16, 17, 24, 32, 33, 40, 41, 48, 64, 96, 97, 100, 104, 105, 112, 113,
                                         120, 128, 161, 168, 200, 232, 240, 256));

}  // namespace
