// Graphs with nodes on two devices: which nodes keep their device in an executable graph, and which graphs must be on
// one device.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "hand_made_kernels.h"

namespace {

[[maybe_unused]] const bool environment_set = (setenv("REPRISE_DEVICES", "2", 1), true);

void nothing(const void*, const reprise_launch*) {}
constexpr reprise_kernel kernels[] = {{"nothing", nothing, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char stub;
const void* const stub_pointers[] = {&stub};
reprise_runtime::test::Registered module("graph_two_devices", kernels, 1, stub_pointers);

class GraphTwoDevices : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaSuccess, cudaGetDeviceCount(&devices));
    ASSERT_EQ(2, devices);
    ASSERT_EQ(cudaSuccess, cudaSetDevice(0));
    ASSERT_EQ(cudaSuccess, cudaMalloc(reinterpret_cast<void**>(&memory), 256));
    params.func = &stub;
    params.gridDim = params.blockDim = dim3(1);
    set.dst = memory;
    set.elementSize = 1;
    set.width = 16;
    set.height = 1;
    graph = make(0, 0, 0);
  }
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaSetDevice(0));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
    EXPECT_EQ(cudaSuccess, cudaFree(memory));
  }
  // A kernel, a memset and a copy on the given devices.
  cudaGraph_t make(int kernel_device, int set_device, int copy_device) {
    cudaGraph_t made = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&made, 0));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(kernel_device));
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&kernel, made, nullptr, 0, &params));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(set_device));
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&setting, made, nullptr, 0, &set));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(copy_device));
    EXPECT_EQ(cudaSuccess,
              cudaGraphAddMemcpyNode1D(&copy, made, nullptr, 0, memory, memory + 128, 16, cudaMemcpyDefault));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(0));
    return made;
  }

  int devices = 0;
  char* memory = nullptr;
  cudaKernelNodeParams params = {};
  cudaMemsetParams set = {};
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t kernel = nullptr, setting = nullptr, copy = nullptr;
};

TEST_F(GraphTwoDevices, ANodeStaysOnItsDevice) {
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  ASSERT_EQ(cudaSuccess, cudaSetDevice(1));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec, setting, &set));
  EXPECT_EQ(cudaErrorInvalidValue,
            cudaGraphExecMemcpyNodeSetParams1D(exec, copy, memory, memory + 64, 16, cudaMemcpyDefault));
  ASSERT_EQ(cudaSuccess, cudaSetDevice(0));
  EXPECT_EQ(cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  EXPECT_EQ(cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec, setting, &set));
  EXPECT_EQ(cudaSuccess, cudaGraphExecMemcpyNodeSetParams1D(exec, copy, memory, memory + 64, 16, cudaMemcpyDefault));
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
}

TEST_F(GraphTwoDevices, AWholeUpdateMovesNothingToAnotherDevice) {
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  const cudaGraphExecUpdateResult expected[] = {cudaGraphExecUpdateErrorUnsupportedFunctionChange,
                                                cudaGraphExecUpdateErrorParametersChanged,
                                                cudaGraphExecUpdateErrorParametersChanged};
  for (int moved = 0; moved < 3; ++moved) {
    cudaGraph_t other = make(moved == 0, moved == 1, moved == 2);
    const cudaGraphNode_t stuck = moved == 0 ? kernel : moved == 1 ? setting : copy;
    cudaGraphExecUpdateResultInfo info = {};
    EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, other, &info)) << moved;
    EXPECT_EQ(expected[moved], info.result) << moved;
    EXPECT_EQ(stuck, info.errorNode) << moved;
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
  }
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
}

TEST_F(GraphTwoDevices, AGraphThatDeviceCodeLaunchesIsOnOne) {
  cudaGraph_t mixed = make(0, 1, 0);
  cudaGraphInstantiateParams how = {};
  how.flags = cudaGraphInstantiateFlagDeviceLaunch;
  cudaGraphExec_t exec = nullptr;
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, mixed, &how));
  EXPECT_EQ(cudaGraphInstantiateMultipleDevicesNotSupported, how.result_out);
  EXPECT_EQ(setting, how.errNode_out);
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(mixed));
  cudaGraph_t second = make(1, 1, 1);
  EXPECT_EQ(cudaSuccess, cudaGraphInstantiateWithParams(&exec, second, &how));
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(second));
}

// A conditional node, its condition and its bodies must be on one device.
TEST_F(GraphTwoDevices, AConditionalNodeIsOnOne) {
  auto add_conditional = [](cudaGraph_t to, cudaGraphConditionalHandle condition, cudaGraphNodeParams& node) {
    node = {};
    node.type = cudaGraphNodeTypeConditional;
    node.conditional.handle = condition;
    node.conditional.type = cudaGraphCondTypeIf;
    node.conditional.size = 1;
    cudaGraphNode_t added = nullptr;
    return cudaGraphAddNode(&added, to, nullptr, nullptr, 0, &node);
  };
  for (int wrong = 0; wrong < 5; ++wrong) {
    SCOPED_TRACE(wrong);
    cudaGraph_t outer = nullptr;
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&outer, 0));
    ASSERT_EQ(cudaSuccess, cudaSetDevice(1));
    cudaGraphConditionalHandle condition = 0;
    ASSERT_EQ(cudaSuccess, cudaGraphConditionalHandleCreate(&condition, outer, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams choice = {};
    ASSERT_EQ(cudaSuccess, cudaSetDevice(0));
    EXPECT_EQ(cudaErrorInvalidValue, add_conditional(outer, condition, choice));
    ASSERT_EQ(cudaSuccess, cudaSetDevice(1));
    ASSERT_EQ(cudaSuccess, add_conditional(outer, condition, choice));
    cudaGraph_t body = choice.conditional.phGraph_out[0];
    // One of a kernel, a memset, a copy and a kernel in a child graph is on the other device; in the last iteration,
    // none.
    cudaGraph_t inner = make(wrong != 3, 1, 1);
    cudaGraphNode_t child = nullptr, nodes[3] = {};
    EXPECT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&child, body, nullptr, 0, inner));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(wrong != 0));
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&nodes[0], body, nullptr, 0, &params));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(wrong != 1));
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&nodes[1], body, nullptr, 0, &set));
    EXPECT_EQ(cudaSuccess, cudaSetDevice(wrong != 2));
    EXPECT_EQ(cudaSuccess,
              cudaGraphAddMemcpyNode1D(&nodes[2], body, nullptr, 0, memory, memory + 128, 16, cudaMemcpyDefault));
    cudaGraphInstantiateParams how = {};
    cudaGraphExec_t exec = nullptr;
    if (wrong == 4) {
      EXPECT_EQ(cudaSuccess, cudaGraphInstantiateWithParams(&exec, outer, &how));
      EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
      EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
      EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
    } else {
      EXPECT_EQ(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, outer, &how));
      EXPECT_EQ(cudaGraphInstantiateMultipleDevicesNotSupported, how.result_out);
      if (wrong < 3) EXPECT_EQ(nodes[wrong], how.errNode_out);
    }
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(outer));
  }
}

}  // namespace
