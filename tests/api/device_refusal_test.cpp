// Log messages about graphs that device code cannot launch, nodes that it cannot update, and conditions that it
// cannot set.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <mutex>
#include <string>

#include "hand_made_kernels.h"

namespace {

using reprise_runtime::test::parameter;

constexpr uint64_t tail = uint64_t{1} << 56, forget = uint64_t{2} << 56, sibling = uint64_t{3} << 56;

// Runs the test's function.
using Act = std::function<void(const reprise_launch*)>;
void act(const void* params, const reprise_launch* launch) { (*parameter<Act*>(params, 0))(launch); }
constexpr reprise_param words[] = {{0, 8}};
constexpr reprise_kernel kernels[] = {
    {"act", act, words, 1, 8, 0, 0, 0, 0, 0, reprise_kernel_launches_graphs, 0, 0, {}}};
char stub;
const void* const stubs[] = {&stub};
reprise_runtime::test::Registered module("device_refusal", kernels, 1, stubs);

class DeviceRefusal : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ASSERT_EQ(cudaSuccess, cudaLogsRegisterCallback(remember, this, &handle));
  }
  void TearDown() override {
    EXPECT_EQ(cudaSuccess, cudaLogsUnregisterCallback(handle));
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  }
  static void remember(void* self, cudaLogLevel, char* message, size_t length) {
    auto& test = *static_cast<DeviceRefusal*>(self);
    std::lock_guard lock(test.hearing);
    test.heard.append(message, length).append("\n");
  }

  cudaGraphNode_t add(cudaGraph_t graph, Act& what) {
    Act* place = &what;
    void* arguments[] = {&place};
    cudaKernelNodeParams params = {};
    params.func = &stub;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
    return node;
  }
  // A graph of one kernel.
  cudaGraphExec_t make(Act& what, unsigned long long flags = 0) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
    add(graph, what);
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, flags));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
    return exec;
  }
  void run(Act what) {
    cudaGraphExec_t exec = make(what);
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  }
  // Runs the function in a graph and returns the log's message. The first sixteen messages of a process are always
  // logged: no test causes more.
  void expect(const std::string& told, Act what) {
    heard.clear();
    run(std::move(what));
    EXPECT_NE(std::string::npos, heard.find(told)) << "not said: " << told << "\nbut: " << heard;
  }
  static uint64_t name(cudaGraphExec_t exec) { return reinterpret_cast<uint64_t>(exec); }

  cudaStream_t stream = nullptr;
  cudaLogsCallbackHandle handle = {};
  std::mutex hearing;
  std::string heard;
};

void launch_refused(const reprise_launch* launch, uint64_t graph, uint64_t stream) {
  EXPECT_EQ(cudaErrorInvalidValue, __reprise_graph_launch(launch, graph, stream));
}

TEST_F(DeviceRefusal, LaunchesOfGraphs) {
  Act nothing = [](const reprise_launch*) {};
  cudaGraphExec_t host = make(nothing), bare = make(nothing, cudaGraphInstantiateFlagDeviceLaunch),
                  ready = make(nothing, cudaGraphInstantiateFlagDeviceLaunch);
  ASSERT_EQ(cudaSuccess, cudaGraphUpload(ready, stream));
  expect("cudaGraphLaunch in a kernel: executable graph 0x0: it does not exist",
         [&](const reprise_launch* launch) { launch_refused(launch, 0, forget); });
  expect("was instantiated for the host only",
         [&](const reprise_launch* launch) { launch_refused(launch, name(host), forget); });
  expect("call cudaGraphUpload", [&](const reprise_launch* launch) { launch_refused(launch, name(bare), tail); });
  expect("into stream 0x5: device code launches into cudaStreamGraphFireAndForget",
         [&](const reprise_launch* launch) { launch_refused(launch, name(ready), 5); });
  expect("it runs already, or will run as a tail", [&](const reprise_launch* launch) {
    EXPECT_EQ(cudaSuccess, __reprise_graph_launch(launch, name(ready), tail));
    launch_refused(launch, name(ready), sibling);
  });
  Act in_stream = [&](const reprise_launch* launch) { launch_refused(launch, name(ready), forget); };
  Act* place = &in_stream;
  void* arguments[] = {&place};
  heard.clear();
  EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&stub, 1, 1, arguments, 0, stream));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  EXPECT_NE(std::string::npos, heard.find("the kernel that launches it must be part of a graph")) << heard;
  for (auto exec : {host, bare, ready}) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
}

TEST_F(DeviceRefusal, NodesAndConditions) {
  Act nothing = [](const reprise_launch*) {};
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  cudaLaunchAttributeValue wanted = {};
  wanted.deviceUpdatableKernelNode.deviceUpdatable = 1;
  ASSERT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(add(graph, nothing),
                                                         cudaLaunchAttributeDeviceUpdatableKernelNode, &wanted));
  const uint64_t node = reinterpret_cast<uint64_t>(wanted.deviceUpdatableKernelNode.devNode);
  const int value = 0;
  expect("its graph has no executable graph",
         [&](const reprise_launch*) { EXPECT_EQ(cudaErrorInvalidValue, __reprise_graph_node_set_enabled(node, 1)); });
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  expect("4 bytes at 100: they are not within the kernel's parameters", [&](const reprise_launch*) {
    EXPECT_EQ(cudaErrorInvalidValue, __reprise_graph_node_set_parameter(node, 100, &value, 4));
  });
  expect("a grid of 0 x 1 x 1", [&](const reprise_launch*) {
    EXPECT_EQ(cudaErrorInvalidValue, __reprise_graph_node_set_grid(node, 0, 1, 1));
  });
  expect("device node 0x7: it is not a device-updatable node",
         [&](const reprise_launch*) { EXPECT_EQ(cudaErrorInvalidValue, __reprise_graph_node_set_enabled(7, 1)); });
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  expect("cudaGraphSetConditional in a kernel: 0x123 is not a condition",
         [&](const reprise_launch*) { __reprise_graph_set_conditional(0x123, 1); });
}

// Must be the last test: later messages might not be logged.
TEST_F(DeviceRefusal, ZRepeatedRefusalsDoNotFloodTheLog) {
  run([&](const reprise_launch* launch) {
    for (int i = 0; i < 10'000; ++i) launch_refused(launch, 0, forget);
  });
  EXPECT_LT(heard.size(), 100'000u);
}

}  // namespace
