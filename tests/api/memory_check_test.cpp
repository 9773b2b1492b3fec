// REPRISE_CHECK=memory: reports of accesses to graph memory outside its lifetime. The variable is read once, so it is
// set before anything else. A fault makes a device unusable, so there are several devices.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "hand_made_kernels.h"

namespace {

[[maybe_unused]] const bool environment_set =
    (setenv("REPRISE_CHECK", "memory", 1), setenv("REPRISE_DEVICES", "16", 1), true);

void write_byte(const void* params, const reprise_launch* launch) {
  reprise_runtime::test::for_each_thread(
      launch, [&](uint64_t, uint64_t) { *reprise_runtime::test::parameter<char*>(params, 0) = 1; });
}
constexpr reprise_param pointer_parameter[] = {{0, 8}};
constexpr reprise_kernel kernels[] = {{"write_byte", write_byte, pointer_parameter, 1, 8, 0, 0, 0, 0, 0, 0, 0, 90, {}}};
int stub = 0;
const void* const stubs[] = {&stub};
const reprise_runtime::test::Registered registered("memory_check_test", kernels, 1, stubs);

std::string text(const void* handle) {
  char words[32];
  std::snprintf(words, sizeof words, "%p", handle);
  return words;
}

class MemoryCheck : public testing::Test {
 protected:
  void SetUp() override {
    static int device = 0;
    ASSERT_EQ(cudaSuccess, cudaSetDevice(device_ = device++));
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    ASSERT_EQ(cudaSuccess, cudaStreamCreate(&stream_));
    ASSERT_EQ(cudaSuccess, cudaLogsCurrent(&start_, 0));
  }

  cudaGraphNode_t alloc(size_t bytes, cudaGraphNode_t after = nullptr) {
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location = {cudaMemLocationTypeDevice, device_};
    params.bytesize = bytes;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&node, graph_, &after, after ? 1 : 0, &params));
    address_ = static_cast<char*>(params.dptr);
    return node;
  }
  cudaGraphNode_t free(cudaGraphNode_t after) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph_, &after, after ? 1 : 0, address_));
    return node;
  }
  cudaGraphNode_t set(size_t bytes, cudaGraphNode_t after) {
    cudaMemsetParams params{};
    params.dst = address_;
    params.elementSize = 1;
    params.width = bytes;
    params.height = 1;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph_, &after, after ? 1 : 0, &params));
    return node;
  }
  cudaGraphNode_t write(char* where, cudaGraphNode_t after) {
    void* arguments[] = {&where};
    cudaKernelNodeParams params{};
    params.func = &stub;
    params.gridDim = params.blockDim = {1, 1, 1};
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph_, &after, after ? 1 : 0, &params));
    return node;
  }

  cudaError_t run() {
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0));
    const cudaError_t launched = cudaGraphLaunch(exec_, stream_);
    return launched == cudaSuccess ? cudaStreamSynchronize(stream_) : launched;
  }
  // Messages logged since the start of the test.
  std::string log() {
    char words[25600];
    size_t size = sizeof words;
    cudaLogIterator at = start_;
    EXPECT_EQ(cudaSuccess, cudaLogsDumpToMemory(&at, words, &size, 0));
    return words;
  }
  void expect_report(std::initializer_list<std::string> parts) {
    const std::string words = log();
    for (const std::string& part : parts)
      EXPECT_NE(std::string::npos, words.find(part)) << part << "\nis not in\n" << words;
  }

  int device_ = 0;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaLogIterator start_ = 0;
  char* address_ = nullptr;
};

TEST_F(MemoryCheck, CorrectGraphsRun) {
  const cudaGraphNode_t made = alloc(5000), written = write(address_ + 4999, set(5000, made));
  free(written);
  EXPECT_EQ(cudaSuccess, run());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec_, stream_));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
}

TEST_F(MemoryCheck, KeptMemoryStaysUntilItIsFreed) {
  set(5000, alloc(5000));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cudaSuccess, i ? cudaGraphLaunch(exec_, stream_) : run());
    char value = 1;
    EXPECT_EQ(cudaSuccess, cudaMemcpyAsync(&value, address_ + 4999, 1, cudaMemcpyDefault, stream_));
    EXPECT_EQ(cudaSuccess, cudaFreeAsync(address_, stream_));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
    EXPECT_EQ(0, value);
  }
}

TEST_F(MemoryCheck, AKernelAfterTheFree) {
  const cudaGraphNode_t made = alloc(5000), freed = free(set(5000, made)), wrong = write(address_ + 16, freed);
  EXPECT_EQ(cudaErrorIllegalAddress, run());
  expect_report({text(wrong) + ", a kernel node of write_byte",
                 "byte 16 of the 5000 bytes of allocation node " + text(made),
                 "after node " + text(freed) + ", a memory free node"});
}

TEST_F(MemoryCheck, ASetBeforeTheAllocation) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer's own memset does not come back from a fault";
#endif
  const cudaGraphNode_t made = alloc(100);
  const cudaGraphNode_t wrong = set(100, nullptr);
  // In the opposite order.
  cudaGraphNode_t from = wrong, to = made;
  ASSERT_EQ(cudaSuccess, cudaGraphAddDependencies(graph_, &from, &to, nullptr, 1));
  EXPECT_EQ(cudaErrorIllegalAddress, run());
  expect_report(
      {text(wrong) + ", a memset node", "of allocation node " + text(made), "before the allocation node has run"});
}

// Kernels that may overlap use another path, and are named as well.
TEST_F(MemoryCheck, AKernelThatMayOverlapAfterTheFree) {
  const cudaGraphNode_t release = free(alloc(5000));
  void* fine = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMalloc(&fine, 64));
  const cudaGraphNode_t first = write(static_cast<char*>(fine), release), bad = write(address_ + 16, nullptr);
  cudaGraphEdgeData early{};
  early.from_port = cudaGraphKernelNodePortProgrammatic;
  early.type = cudaGraphDependencyTypeProgrammatic;
  ASSERT_EQ(cudaSuccess, cudaGraphAddDependencies(graph_, &first, &bad, &early, 1));
  EXPECT_EQ(cudaErrorIllegalAddress, run());
  expect_report({"node " + text(bad) + ", a kernel node of write_byte, in graph", "byte 16 of the 5000 bytes",
                 "after node " + text(release) + ", a memory free node"});
}

TEST_F(MemoryCheck, AKernelPastTheEnd) {
  const cudaGraphNode_t made = alloc(4096), wrong = write(address_ + 4096, made);
  EXPECT_EQ(cudaErrorIllegalAddress, run());
  expect_report({text(wrong), "byte 4096 of the 4096 bytes of allocation node " + text(made), "past its end"});
}

TEST_F(MemoryCheck, AfterACallHasFreedIt) {
  const cudaGraphNode_t made = alloc(100);
  EXPECT_EQ(cudaSuccess, run());
  EXPECT_EQ(cudaSuccess, cudaFreeAsync(address_, stream_));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
  void* arguments[] = {&address_};
  EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&stub, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream_));
  EXPECT_EQ(cudaErrorIllegalAddress, cudaStreamSynchronize(stream_));
  expect_report({"work outside of graphs", "of allocation node " + text(made), "after it was freed by a call"});
}

// The thread that faulted continues with the next device, and a fault is reported even if it occurs before the launch
// call returns.
TEST_F(MemoryCheck, EveryFaultIsReported) {
  int devices = 0;
  ASSERT_EQ(cudaSuccess, cudaGetDeviceCount(&devices));
  for (int left = devices - device_; left > 0; --left) {
    const size_t bytes = 100 + static_cast<size_t>(left);
    const cudaGraphNode_t made = alloc(bytes), wrong = write(address_, free(made));
    EXPECT_EQ(cudaErrorIllegalAddress, run());
    expect_report({text(wrong), "byte 0 of the " + std::to_string(bytes) + " bytes of allocation node " + text(made)});
    if (left > 1) SetUp();
  }
}

}  // namespace
