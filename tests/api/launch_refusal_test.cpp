// The log explains an invalid launch in the same words in all its forms: eager, with attributes, captured, or as a
// kernel node. The fuzzer checks that every call explains its refusals (tests/fuzz/explanations.h); this test checks
// the explanations of launches.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "hand_made_kernels.h"

namespace {

using reprise_runtime::test::Registered;

void nothing(const void*, const reprise_launch*) {}
void trap(const void*, const reprise_launch*) { __reprise_trap(); }
constexpr reprise_param one_int[] = {{0, 4}};
constexpr reprise_kernel kernels[] = {{"_Z5plaini", nothing, one_int, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"bounded", nothing, one_int, 1, 4, 0, 0, 0, 64, 0, 0, 0, 0, {}},
                                      {"trap", trap, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char stubs[3];
const void* const stub_pointers[] = {&stubs[0], &stubs[1], &stubs[2]};
Registered registered("launch_refusal", kernels, 3, stub_pointers);

// The latest entry of the log.
class LatestEntry {
 public:
  LatestEntry() { EXPECT_EQ(cudaSuccess, cudaLogsRegisterCallback(&hear, this, &handle_)); }
  ~LatestEntry() { EXPECT_EQ(cudaSuccess, cudaLogsUnregisterCallback(handle_)); }
  LatestEntry(const LatestEntry&) = delete;
  LatestEntry& operator=(const LatestEntry&) = delete;
  std::string take() { return std::exchange(entry_, {}); }

 private:
  static void hear(void* self, cudaLogLevel, char* message, size_t length) {
    static_cast<LatestEntry*>(self)->entry_.assign(message, length);
  }
  cudaLogsCallbackHandle handle_ = nullptr;
  std::string entry_;
};

struct Launch {
  const void* function;
  dim3 grid, block;
  void** arguments;
  size_t shared;
};

struct Way {
  const char* call;
  std::function<cudaError_t(const Launch&)> run;
};

cudaError_t launch_with_attributes(const Launch& launch, bool cooperative) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = cooperative;
  cudaLaunchConfig_t config = {launch.grid, launch.block, launch.shared, nullptr, &attribute, 1};
  return cudaLaunchKernelExC(&config, launch.function, launch.arguments);
}

cudaError_t add_node(const Launch& launch) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node = nullptr;
  const cudaKernelNodeParams params = {const_cast<void*>(launch.function),   launch.grid,      launch.block,
                                       static_cast<unsigned>(launch.shared), launch.arguments, nullptr};
  const cudaError_t status = cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  return status;
}

const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {"cudaLaunchKernel",
       [](const Launch& l) { return cudaLaunchKernel(l.function, l.grid, l.block, l.arguments, l.shared, nullptr); }},
      {"cudaLaunchCooperativeKernel",
       [](const Launch& l) {
         return cudaLaunchCooperativeKernel(l.function, l.grid, l.block, l.arguments, l.shared, nullptr);
       }},
      {"cudaLaunchKernelExC", [](const Launch& l) { return launch_with_attributes(l, false); }},
      {"cudaGraphAddKernelNode", add_node},
  };
  return all;
}

std::string reason_of(const std::string& entry, const std::string& call) {
  if (!entry.starts_with(call + ": ")) return "an entry that does not begin with the call: " + entry;
  const size_t begin = call.size() + 2, end = entry.find("; returns ");
  return end == std::string::npos ? "no error in " + entry : entry.substr(begin, end - begin);
}

class LaunchRefusal : public testing::Test {
 protected:
  void refused(cudaError_t error, const std::string& words, const Launch& launch) {
    std::string reason;
    for (const Way& way : ways()) {
      SCOPED_TRACE(way.call);
      log.take();
      EXPECT_EQ(error, way.run(launch));
      const std::string entry = log.take();
      const std::string given = reason_of(entry, way.call);
      EXPECT_NE(std::string::npos, given.find(words)) << entry;
      EXPECT_NE(std::string::npos, entry.find(std::string("\n  call: ") + way.call + "(")) << entry;
      if (reason.empty()) reason = given;
      EXPECT_EQ(reason, given);
    }
  }

  Launch launch(int which = 0) { return {&stubs[which], dim3(1), dim3(1), arguments, 0}; }
  template <class Change>
  Launch changed(int which, Change&& change) {
    Launch made = launch(which);
    change(made);
    return made;
  }

  LatestEntry log;
  int argument = 0;
  void* arguments[1] = {&argument};
};

constexpr cudaError_t bad = cudaErrorInvalidValue;

TEST_F(LaunchRefusal, EveryWayToLaunchSaysTheSame) {
  refused(cudaErrorInvalidDeviceFunction, "the function is null", changed(0, [](Launch& l) { l.function = nullptr; }));
  refused(cudaErrorInvalidResourceHandle, "is not a kernel", changed(0, [&](Launch& l) { l.function = &argument; }));
  refused(bad, "each side of a grid must be at least 1", changed(0, [](Launch& l) { l.grid.x = 0; }));
  refused(bad, "each side of a grid must be at least 1", changed(0, [](Launch& l) { l.grid.y = 65536; }));
  refused(bad, "at most 1024 x 1024 x 64", changed(0, [](Launch& l) { l.block.z = 65; }));
  refused(bad, "a block of 0 x 1 x 1", changed(0, [](Launch& l) { l.block.x = 0; }));
  refused(bad, "the block has 4096 threads; the limit is 1024", changed(0, [](Launch& l) { l.block = dim3(64, 64); }));
  refused(bad, "the kernel's __launch_bounds__ allow 64", changed(1, [](Launch& l) { l.block.x = 128; }));
  refused(bad, "kernel plain(int) has 1 arguments", changed(0, [](Launch& l) { l.arguments = nullptr; }));
  void* null_argument[] = {nullptr};
  refused(bad, "the pointer to argument 0 is null", changed(0, [&](Launch& l) { l.arguments = null_argument; }));
}

TEST_F(LaunchRefusal, SharedMemoryNamesTheLimitAndTheWayOut) {
  const Launch large = changed(0, [](Launch& l) { l.shared = 100000; });
  for (const Way& way : ways()) {
    if (std::string(way.call) == "cudaLaunchCooperativeKernel") continue;  // too large in another sense: below
    EXPECT_EQ(bad, way.run(large));
    const std::string entry = log.take();
    for (const char* part : {"kernel plain(int)", "100000 bytes of dynamic shared memory", "at most 49152 bytes",
                             "cudaFuncAttributeMaxDynamicSharedMemorySize"}) {
      EXPECT_NE(std::string::npos, entry.find(part)) << part << " in " << entry;
    }
  }
}

TEST_F(LaunchRefusal, CooperativeGridsMustFitTheDevice) {
  const Launch many = changed(0, [](Launch& l) { l.grid.x = 1 << 20; });
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge,
            cudaLaunchCooperativeKernel(many.function, many.grid, many.block, many.arguments, 0, nullptr));
  EXPECT_NE(std::string::npos, log.take().find("all blocks of a cooperative launch run at once"));
  EXPECT_EQ(cudaErrorCooperativeLaunchTooLarge, launch_with_attributes(many, true));
  EXPECT_NE(std::string::npos, log.take().find("all blocks of a cooperative launch run at once"));
}

TEST_F(LaunchRefusal, CapturedLaunchesKeepTheReason) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASSERT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  EXPECT_EQ(bad, cudaLaunchKernel(&stubs[0], dim3(1), dim3(64, 64), arguments, 0, stream));
  const std::string entry = log.take();
  EXPECT_NE(std::string::npos, entry.find("the block has 4096 threads; the limit is 1024")) << entry;
  EXPECT_NE(std::string::npos, entry.find("is capturing in relaxed mode")) << entry;
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &graph));
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
}

TEST_F(LaunchRefusal, ConfigurationsAreChecked) {
  EXPECT_EQ(bad, cudaLaunchKernelExC(nullptr, &stubs[0], arguments));
  EXPECT_NE(std::string::npos, log.take().find("the launch configuration is null"));
  cudaLaunchConfig_t config = {};
  config.numAttrs = 2;
  EXPECT_EQ(bad, cudaLaunchKernelExC(&config, &stubs[0], arguments));
  EXPECT_NE(std::string::npos, log.take().find("numAttrs is 2 and attrs is null"));
}

TEST_F(LaunchRefusal, HostFunctionsMayNotCallTheRuntime) {
  ASSERT_EQ(
      cudaSuccess,
      cudaLaunchHostFunc(nullptr, [](void*) { EXPECT_EQ(cudaErrorNotPermitted, cudaDeviceSynchronize()); }, nullptr));
  ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_EQ(0u, log.take().find("cudaDeviceSynchronize: host functions and stream callbacks must not call"));
}

// The last one: no call can use the device afterwards.
TEST_F(LaunchRefusal, CallsAfterAFaultSayThatThereWasOne) {
  ASSERT_EQ(cudaSuccess, cudaLaunchKernel(&stubs[2], dim3(1), dim3(1), nullptr, 0, nullptr));
  EXPECT_EQ(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  EXPECT_NE(std::string::npos, log.take().find("an earlier fault ended the use of device 0"));
  void* memory = nullptr;
  EXPECT_EQ(cudaErrorLaunchFailure, cudaMalloc(&memory, 16));
  EXPECT_NE(std::string::npos, log.take().find("cudaMalloc: an earlier fault ended the use of device 0"));
}

}  // namespace
