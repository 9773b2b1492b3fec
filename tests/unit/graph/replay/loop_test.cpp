// Long-running WHILE nodes: log messages, memory use, and progress of other work.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/devices.h"
#include "graph/plan/conditional_step.h"
#include "hand_made_kernels.h"

namespace {

using reprise_runtime::test::parameter;

std::atomic<bool> stop;

void count_down(const void* params, const reprise_launch*) {
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0), --*parameter<uint64_t*>(params, 8) != 0);
}
void until_stopped(const void* params, const reprise_launch*) {
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0), !stop);
}
void raise_stop(const void*, const reprise_launch*) { stop = true; }
void nothing(const void*, const reprise_launch*) {}
void wait_for_stop(const void*, const reprise_launch*) {
  while (!stop) std::this_thread::yield();
}
void launch_again(const void* params, const reprise_launch* launch) {
  constexpr uint64_t tail = uint64_t{1} << 56;
  if (--*parameter<uint64_t*>(params, 0) == 0) return;
  EXPECT_EQ(cudaSuccess, __reprise_graph_launch(launch, __reprise_current_graph(launch), tail));
}
constexpr reprise_param words[] = {{0, 8}, {8, 8}};
constexpr reprise_kernel kernels[] = {
    {"count_down", count_down, words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"until_stopped", until_stopped, words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"raise_stop", raise_stop, words, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"nothing", nothing, words, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"wait_for_stop", wait_for_stop, words, 0, 0, 0, 0, 0, 0, 0, reprise_kernel_spins, 0, 0, {}},
    {"launch_again", launch_again, words, 1, 8, 0, 0, 0, 0, 0, reprise_kernel_launches_graphs, 0, 0, {}}};
char stubs[6];
const void* const stub_pointers[] = {&stubs[0], &stubs[1], &stubs[2], &stubs[3], &stubs[4], &stubs[5]};
reprise_runtime::test::Registered module("graph_loop", kernels, 6, stub_pointers);

// A WHILE node with one captured kernel in its body.
class Loop {
 public:
  explicit Loop(int kernel, uint64_t* left = nullptr) {
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    cudaGraphConditionalHandle go_on = 0;
    EXPECT_EQ(cudaSuccess, cudaGraphConditionalHandleCreate(&go_on, graph_, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = go_on;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    EXPECT_EQ(cudaSuccess, cudaGraphAddNode(&node, graph_, nullptr, nullptr, 0, &params));
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaGraph_t body = params.conditional.phGraph_out[0];
    EXPECT_EQ(cudaSuccess,
              cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    void* arguments[] = {&go_on, &left};
    EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&stubs[kernel], 1, 1, arguments, 0, stream));
    cudaGraph_t captured = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &captured));
    EXPECT_EQ(body, captured);
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0));
  }
  ~Loop() {
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  }
  void launch() { EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec_, stream)); }
  void wait() { EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream)); }

  cudaGraphNode_t node = nullptr;
  cudaStream_t stream = nullptr;

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

size_t resident_pages() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

void remember(void* words, cudaLogLevel, char* message, size_t length) {
  static_cast<std::string*>(words)->append(message, length).append("\n");
}

// The same, for loops that several threads report.
std::mutex hearing;
void remember_safely(void* words, cudaLogLevel level, char* message, size_t length) {
  std::lock_guard lock(hearing);
  remember(words, level, message, length);
}
bool was_heard(const std::string& heard, const char* what) {
  std::lock_guard lock(hearing);
  return heard.find(what) != std::string::npos;
}

TEST(GraphLoop, AMillionRoundsTakeNoMemory) {
  uint64_t left = 100;
  Loop loop(0, &left);
  loop.launch();
  loop.wait();
  // Leaks would grow with every quarter of the iterations; a thread that joins, or a sanitizer, allocates once.
  size_t least = SIZE_MAX;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const size_t before = resident_pages();
    left = 250'000;
    loop.launch();
    loop.wait();
    EXPECT_EQ(0u, left);
    const size_t after = resident_pages();
    least = std::min(least, after > before ? after - before : 0);
  }
  EXPECT_LT(least, 256u) << "pages, of 4 KiB: four bytes a round";
}

TEST(GraphLoop, OneThatDoesNotEndIsNamedInTheLog) {
  const double patience = reprise_runtime::graph::long_loop_ns.exchange(0);
  std::string heard;
  cudaLogsCallbackHandle handle = {};
  ASSERT_EQ(cudaSuccess, cudaLogsRegisterCallback(remember, &heard, &handle));
  uint64_t left = 5;
  Loop loop(0, &left);
  loop.launch();
  loop.wait();
  ASSERT_EQ(cudaSuccess, cudaLogsUnregisterCallback(handle));
  reprise_runtime::graph::long_loop_ns = patience;
  char name[32];
  std::snprintf(name, sizeof name, "0x%llx", reinterpret_cast<unsigned long long>(loop.node));
  EXPECT_NE(std::string::npos, heard.find(name)) << heard;
  // After rounds 1, 2 and 4.
  EXPECT_NE(std::string::npos, heard.find("its WHILE loop has run 4 times")) << heard;
  EXPECT_EQ(std::string::npos, heard.find("run 3 times")) << heard;
}

// Not only when the number of iterations has doubled after ten seconds, which may take twenty.
TEST(GraphLoop, TheClockIsReadWhenAReportIsDue) {
  using reprise_runtime::graph::next_clock_check;
  EXPECT_EQ(2u, next_clock_check(1, 50, 10e9));
  EXPECT_EQ(2048u, next_clock_check(1024, 1e6, 10e9));
  EXPECT_EQ(1251u, next_clock_check(1000, 8e9, 10e9));
  EXPECT_EQ(1001u, next_clock_check(1000, 10e9, 10e9));
  EXPECT_EQ(2000u, next_clock_check(1000, 11e9, 10e9));
}

// Runs another test of this program in a process of its own.
std::string trace_of(const std::string& test, const std::string& settings = "") {
  const std::string file = testing::TempDir() + "reprise_loop_" + std::to_string(getpid()) + ".json";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string run =
      settings + " REPRISE_TRACE='" + file + "' '" + self + "' --gtest_filter=GraphLoop." + test + " >&2";
  EXPECT_EQ(0, std::system(run.c_str()));
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  return text.str();
}
size_t times(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST(GraphLoop, AGraphThatLaunchesItselfAgain) {
  uint64_t left = 5000, *place = &left;
  void* arguments[] = {&place};
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams params = {};
  params.func = &stubs[5];
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  for (int launches = 0; launches < 2; ++launches) {
    left = 5000;
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
    ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
    EXPECT_EQ(0u, left);
  }
  ASSERT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  ASSERT_EQ(cudaSuccess, cudaGraphDestroy(graph));
}

TEST(GraphLoop, TheTraceHasSomeRoundsOfAGraphThatLaunchesItself) {
  const std::string trace = trace_of("AGraphThatLaunchesItselfAgain");
  // For each launch, the first run and 64 tails are traced; then powers of two from 64 to 4096.
  EXPECT_EQ(2u * (1 + 64 + 15 + 6 * 16), times(trace, "\"name\":\"launch_again\"")) << trace;
  EXPECT_EQ(2u, times(trace, "\"name\":\"tail 4096\"")) << trace;
  EXPECT_EQ(0u, times(trace, "\"name\":\"tail 4112\"")) << trace;
}

TEST(GraphLoop, ManyLaunches) {
  Loop loop(1);
  stop = true;
  for (int i = 0; i < 4000; ++i) loop.launch();
  loop.wait();
}

TEST(GraphLoop, TheTraceIsNoLongerThanItMayBe) {
  const std::string trace = trace_of("ManyLaunches", "REPRISE_TRACE_MB=1");
  EXPECT_LE(trace.size(), 1'000'000u);
  EXPECT_GE(trace.size(), 990'000u);
  EXPECT_EQ(1u, times(trace, "the trace ends here: REPRISE_TRACE_MB\"}]\n"));
}

TEST(GraphLoop, OneThatDoesNotEndIsNamedInTheTrace) {
  const std::string trace = trace_of("TheRestOfTheDeviceGoesOn");
  EXPECT_NE(std::string::npos, trace.find("\"name\":\"WHILE\",\"args\":{\"node\":\"0x")) << trace;
  EXPECT_NE(std::string::npos, trace.find("\"name\":\"round 1\"")) << trace;
  EXPECT_NE(std::string::npos, trace.find("\"name\":\"count_down\"")) << trace;
  EXPECT_NE(std::string::npos, trace.find("\"name\":\"round 512\"")) << trace;
  EXPECT_EQ(std::string::npos, trace.find("\"name\":\"round 513\"")) << trace;
}

// More endless loops than cores: other streams progress, and the log reports the loops while they run.
TEST(GraphLoop, MoreEndlessLoopsThanCores) {
  stop = false;
  const double patience = reprise_runtime::graph::long_loop_ns.exchange(0);
  std::string heard;
  cudaLogsCallbackHandle handle = {};
  std::vector<std::unique_ptr<Loop>> endless;
  ASSERT_EQ(cudaSuccess, cudaLogsRegisterCallback(remember_safely, &heard, &handle));
  for (int i = 0; i < reprise_runtime::core_count() + 1; ++i) {
    endless.push_back(std::make_unique<Loop>(1));
    endless.back()->launch();
  }
  for (int turn = 0; turn < 10; ++turn) {
    uint64_t left = 1000;
    Loop other(0, &left);
    other.launch();
    other.wait();
    EXPECT_EQ(0u, left);
  }
  for (auto& loop : endless) EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(loop->stream));
  // Each runs eventually and is reported by name.
  for (auto& loop : endless) {
    char name[32];
    std::snprintf(name, sizeof name, "node 0x%llx", reinterpret_cast<unsigned long long>(loop->node));
    bool told = false;
    for (int turn = 0; turn < 10'000'000 && !told; ++turn) {
      told = was_heard(heard, name);
      if (!told) std::this_thread::yield();
    }
    EXPECT_TRUE(told) << "nothing was said of " << name;
  }
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&stubs[2], 1, 1, nullptr, 0, stream));
  for (auto& loop : endless) loop->wait();
  EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  endless.clear();
  EXPECT_EQ(cudaSuccess, cudaLogsUnregisterCallback(handle));
  reprise_runtime::graph::long_loop_ns = patience;
}

// The loops end each time and are then destroyed.
void launch_three_times(cudaGraph_t graph, cudaGraphExec_t exec) {
  for (int launches = 0; launches < 3; ++launches) {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    stop = false;
  }
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
}

// A loop in the body of an IF in another IF's body, ended by a kernel concurrent with the outer one.
TEST(GraphLoop, TheKernelThatEndsALoopMayRunBesideTheOuterConditional) {
  for (bool loop_first : {true, false}) {
    stop = false;
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
    auto add_kernel = [](cudaGraph_t to, int kernel, cudaGraphConditionalHandle condition) {
      uint64_t* nothing = nullptr;
      void* arguments[] = {&condition, &nothing};
      cudaKernelNodeParams params = {};
      params.func = &stubs[kernel];
      params.gridDim = params.blockDim = dim3(1);
      params.kernelParams = arguments;
      cudaGraphNode_t node = nullptr;
      EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, to, nullptr, 0, &params));
    };
    if (!loop_first) add_kernel(graph, 2, 0);
    cudaGraph_t around = graph;
    for (int depth = 0; depth < 3; ++depth) {
      cudaGraphConditionalHandle condition = 0;
      ASSERT_EQ(cudaSuccess, cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
      cudaGraphNodeParams params = {};
      params.type = cudaGraphNodeTypeConditional;
      params.conditional.handle = condition;
      params.conditional.type = depth < 2 ? cudaGraphCondTypeIf : cudaGraphCondTypeWhile;
      params.conditional.size = 1;
      cudaGraphNode_t node = nullptr;
      ASSERT_EQ(cudaSuccess, cudaGraphAddNode(&node, around, nullptr, nullptr, 0, &params));
      around = params.conditional.phGraph_out[0];
      if (depth == 2) add_kernel(around, 1, condition);
    }
    if (loop_first) add_kernel(graph, 2, 0);
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
    launch_three_times(graph, exec);
  }
}

// The same with a kernel that an update put into the body.
TEST(GraphLoop, AKernelThatWaitsIsBroughtIntoABody) {
  stop = false;
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle condition = 0;
  ASSERT_EQ(cudaSuccess, cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams choice = {};
  choice.type = cudaGraphNodeTypeConditional;
  choice.conditional.handle = condition;
  choice.conditional.type = cudaGraphCondTypeIf;
  choice.conditional.size = 1;
  cudaGraphNode_t node = nullptr, inside = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &choice));
  cudaKernelNodeParams params = {};
  params.gridDim = params.blockDim = dim3(1);
  params.func = &stubs[3];
  ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&inside, choice.conditional.phGraph_out[0], nullptr, 0, &params));
  params.func = &stubs[2];
  ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  params.func = &stubs[4];
  ASSERT_EQ(cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, inside, &params));
  launch_three_times(graph, exec);
}

TEST(GraphLoop, OneCoreIsEnough) {
  cpu_set_t allowed, one;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof allowed, &allowed));
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &allowed)) CPU_SET(i, &one);
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const char* const tests = "--gtest_filter=GraphLoop.MoreEndlessLoopsThanCores:GraphLoop.TheRestOfTheDeviceGoesOn";
  const pid_t child = fork();  // of a process with threads: nothing but system calls from here
  if (child == 0) {
    sched_setaffinity(0, sizeof one, &one);
    execl(self.c_str(), self.c_str(), tests, nullptr);
    _exit(126);
  }
  int status = -1;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

TEST(GraphLoop, TheRestOfTheDeviceGoesOn) {
  stop = false;
  Loop endless(1);
  endless.launch();
  uint64_t left = 1000;
  Loop other(0, &left);
  other.launch();
  other.wait();
  EXPECT_EQ(0u, left);
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(endless.stream));
  EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&stubs[2], 1, 1, nullptr, 0, other.stream));
  endless.wait();
}

}  // namespace
