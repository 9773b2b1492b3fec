// Changes of executable graphs when memory runs out. Each allocation of a call fails in turn: a call that fails has
// changed nothing, and the call whose allocations all succeed has changed everything.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "graph/update/pending_changes.h"
#include "hand_made_kernels.h"

namespace {

thread_local long until_failure = -1;  // allocations of this thread until one fails; negative: none fails
thread_local bool all_after = false;   // later allocations fail too

void* allocate(size_t bytes, size_t alignment) {
  if (until_failure == 0) {
    if (!all_after) until_failure = -1;
    throw std::bad_alloc();
  }
  if (until_failure > 0) --until_failure;
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                     : std::malloc(bytes ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(size_t bytes) { return allocate(bytes, 1); }
void* operator new[](size_t bytes) { return allocate(bytes, 1); }
void* operator new(size_t bytes, std::align_val_t alignment) { return allocate(bytes, static_cast<size_t>(alignment)); }
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return allocate(bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using reprise_runtime::test::parameter;

// The effects of a launch, by node.
using Done = std::array<uint64_t, 16>;
Done done;
uint64_t* device_words;  // 0-3: sources of the copy, by variant; 4: its destination; 5: written by the memset

template <int function>
void tell(const void* params, const reprise_launch* launch) {
  done[parameter<uint64_t>(params, 0)] = parameter<uint64_t>(params, 8) + 1000 * function + 100'000 * launch->grid[0];
}
reprise_param words[40];  // a kernel with 40 arguments needs more memory than one with two
const bool words_are_set = [] {
  for (uint32_t i = 0; i < 40; ++i) words[i] = {8 * i, 8};
  return true;
}();
const reprise_kernel kernels[] = {{"few", tell<1>, words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                  {"many", tell<2>, words, 40, 320, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char stubs[2];
const void* const stub_pointers[] = {&stubs[0], &stubs[1]};
reprise_runtime::test::Registered module("update_no_memory", kernels, 2, stub_pointers);

#define MUST(...) ASSERT_EQ(cudaSuccess, (__VA_ARGS__))

struct Kernel {
  uint64_t values[40] = {};
  void* pointers[40];
  cudaKernelNodeParams of_node = {};

  Kernel(uint64_t place, uint64_t value, int function, unsigned grid) {
    values[0] = place, values[1] = value;
    for (int i = 0; i < 40; ++i) pointers[i] = &values[i];
    of_node.func = &stubs[function];
    of_node.gridDim = dim3(grid);
    of_node.blockDim = dim3(1);
    of_node.kernelParams = pointers;
  }
};

// A chain of nodes of every kind that can change. The variant selects the changes.
struct Made {
  cudaGraph_t graph = nullptr;
  std::vector<cudaGraphNode_t> nodes;
  cudaGraphNode_t inside = nullptr, in_body = nullptr;

  explicit Made(int variant) { make(variant); }
  ~Made() { EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph)); }

  void add_kernel(cudaGraph_t to, cudaGraphNode_t& node, const cudaGraphNode_t* after, uint64_t place, int variant) {
    Kernel kernel(place, place + static_cast<uint64_t>(10 * variant), variant == 2, variant == 1 ? 1 : variant + 1u);
    MUST(cudaGraphAddKernelNode(&node, to, after, after ? 1 : 0, &kernel.of_node));
  }
  void make(int variant) {
    MUST(cudaGraphCreate(&graph, 0));
    auto add = [&](auto&& call, auto... more) {
      cudaGraphNode_t node = nullptr;
      MUST(call(&node, graph, nodes.empty() ? nullptr : &nodes.back(), nodes.empty() ? 0 : 1, more...));
      nodes.push_back(node);
    };
    for (uint64_t i = 0; i < 3; ++i) {
      cudaGraphNode_t node = nullptr;
      add_kernel(graph, node, nodes.empty() ? nullptr : &nodes.back(), i, variant);
      nodes.push_back(node);
    }
    cudaMemsetParams set{};
    set.dst = device_words + 5, set.value = static_cast<unsigned>(variant + 1), set.elementSize = 1, set.width = 8,
    set.height = 1;
    add(cudaGraphAddMemsetNode, &set);
    add(cudaGraphAddMemcpyNode1D, static_cast<void*>(device_words + 4),
        static_cast<const void*>(device_words + variant), sizeof(uint64_t), cudaMemcpyDeviceToDevice);
    static uint64_t said[3] = {71, 72, 73};
    cudaHostNodeParams host = {[](void* what) { done[8] = *static_cast<uint64_t*>(what); }, &said[variant]};
    add(cudaGraphAddHostNode, &host);
    cudaGraph_t child = nullptr;
    MUST(cudaGraphCreate(&child, 0));
    cudaGraphNode_t node = nullptr, next = nullptr;
    add_kernel(child, node, nullptr, 9, variant);
    add_kernel(child, next, &node, 10, variant);
    add(cudaGraphAddChildGraphNode, child);
    MUST(cudaGraphDestroy(child));
    cudaGraph_t embedded = nullptr;
    MUST(cudaGraphChildGraphNodeGetGraph(nodes.back(), &embedded));
    size_t one = 1;
    MUST(cudaGraphGetRootNodes(embedded, &inside, &one));
    cudaGraphConditionalHandle condition{};
    MUST(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams conditional{};
    conditional.type = cudaGraphNodeTypeConditional;
    conditional.conditional.handle = condition;
    conditional.conditional.type = cudaGraphCondTypeIf;
    conditional.conditional.size = 1;
    MUST(cudaGraphAddNode(&node, graph, &nodes.back(), nullptr, 1, &conditional));
    nodes.push_back(node);
    add_kernel(conditional.conditional.phGraph_out[0], in_body, nullptr, 11, variant);
    cudaUserObject_t object = nullptr;
    MUST(cudaUserObjectCreate(&object, &done, [](void*) {}, 1, cudaUserObjectNoDestructorSync));
    MUST(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  }
};

class UpdateNoMemory : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    MUST(cudaMalloc(reinterpret_cast<void**>(&device_words), 8 * sizeof(uint64_t)));
    for (uint64_t i = 0; i < 4; ++i) device_words[i] = 500 + i;
    MUST(cudaStreamCreate(&stream_));
    for (int variant = 0; variant < 3; ++variant) {
      Made made(variant);
      cudaGraphExec_t exec = nullptr;
      MUST(cudaGraphInstantiate(&exec, made.graph, 0));
      expected_[variant] = launch(exec);
      MUST(cudaGraphExecDestroy(exec));
    }
    ASSERT_NE(expected_[0], expected_[1]);
    ASSERT_NE(expected_[1], expected_[2]);
  }
  void TearDown() override {
    let_go();  // in case a test has failed in between
    MUST(cudaStreamDestroy(stream_));
    MUST(cudaFree(device_words));
  }

  Done finish() {
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
    Done result = done;
    result[12] = device_words[4], result[13] = device_words[5];
    return result;
  }
  Done launch(cudaGraphExec_t exec) {
    clear();
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream_));
    return finish();
  }
  static void clear() {
    done = {};
    device_words[4] = device_words[5] = 0;
  }

  // Queues a launch of `exec`, which waits until let_go().
  void hold(cudaGraphExec_t exec) {
    clear();
    open_ = false;
    MUST(cudaLaunchHostFunc(stream_, [](void* self) { static_cast<UpdateNoMemory*>(self)->open_.wait(false); }, this));
    MUST(cudaGraphLaunch(exec, stream_));
  }
  Done let_go() {
    open_ = true;
    open_.notify_all();
    return finish();
  }

  // Calls call(exec) with its first, second, ... allocation failing, each time on a new executable graph. After a
  // failure the graph runs as before. In either case a later update makes it run as the variant.
  template <class Call>
  void fail_each(int variant, Call&& call, const Done& afterwards) {
    Made first(0);
    for (bool later_too : {false, true}) {
      cudaError_t status = cudaErrorMemoryAllocation;
      int failures = -1;
      for (long n = 0; status != cudaSuccess; ++n, ++failures) {
        ASSERT_LT(n, 1000);
        Made next(variant);
        cudaGraphExec_t exec = nullptr;
        MUST(cudaGraphInstantiate(&exec, first.graph, 0));
        if (in_flight()) hold(exec);
        until_failure = n, all_after = later_too;
        status = call(exec, first, next);
        until_failure = -1;
        ASSERT_TRUE(status == cudaSuccess || status == cudaErrorMemoryAllocation) << cudaGetErrorName(status);
        if (in_flight()) {
          ASSERT_EQ(expected_[0], let_go()) << "allocation " << n << ", the launch before";
        }
        ASSERT_EQ(status == cudaSuccess ? afterwards : expected_[0], launch(exec)) << "allocation " << n;
        if (in_flight()) hold(exec);
        MUST(cudaGraphExecUpdate(exec, next.graph, nullptr)) << "allocation " << n;
        if (in_flight()) let_go();
        ASSERT_EQ(expected_[variant], launch(exec)) << "allocation " << n << ", updated then";
        MUST(cudaGraphExecDestroy(exec));
      }
      failures_ = failures;
    }
  }
  bool in_flight() const { return GetParam(); }

  cudaStream_t stream_ = nullptr;
  std::array<Done, 3> expected_;
  std::atomic<bool> open_{true};
  int failures_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Launches, UpdateNoMemory, testing::Values(false, true),
                         [](const auto& info) { return info.param ? std::string("InFlight") : std::string("Idle"); });

TEST_P(UpdateNoMemory, AWholeUpdateIsAllOrNothing) {
  for (int variant : {1, 2}) {
    fail_each(
        variant, [](cudaGraphExec_t exec, Made&, Made& next) { return cudaGraphExecUpdate(exec, next.graph, nullptr); },
        expected_[variant]);
    EXPECT_GT(failures_, 0);
  }
}

TEST_P(UpdateNoMemory, AChildGraphIsAllOrNothing) {
  for (int variant : {1, 2}) {
    Done afterwards = expected_[0];
    afterwards[9] = expected_[variant][9], afterwards[10] = expected_[variant][10];
    auto set = [](cudaGraphExec_t exec, Made& first, Made& next) {
      cudaGraph_t child = nullptr;
      EXPECT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(next.nodes[6], &child));
      return cudaGraphExecChildGraphNodeSetParams(exec, first.nodes[6], child);
    };
    fail_each(variant, set, afterwards);
    EXPECT_GT(failures_, 0);
  }
}

// Changes of single nodes, superseded by a change of the child graph.
TEST_P(UpdateNoMemory, AChildGraphAfterItsNodes) {
  for (int before : {1, 2}) {
    for (int variant : {1, 2}) {
      Made first(0), next(variant);
      cudaGraphExec_t exec = nullptr;
      MUST(cudaGraphInstantiate(&exec, first.graph, 0));
      if (in_flight()) hold(exec);
      Kernel kernel(9, 99, before == 2, static_cast<unsigned>(before));
      MUST(cudaGraphExecKernelNodeSetParams(exec, first.inside, &kernel.of_node));
      cudaGraph_t child = nullptr;
      MUST(cudaGraphChildGraphNodeGetGraph(next.nodes[6], &child));
      for (int times = 0; times < 3; ++times) MUST(cudaGraphExecChildGraphNodeSetParams(exec, first.nodes[6], child));
      if (in_flight()) ASSERT_EQ(expected_[0], let_go());
      Done afterwards = expected_[0];
      afterwards[9] = expected_[variant][9], afterwards[10] = expected_[variant][10];
      ASSERT_EQ(afterwards, launch(exec)) << before << " then " << variant;
      MUST(cudaGraphExecDestroy(exec));
    }
  }
}

TEST_P(UpdateNoMemory, OneNodeIsAllOrNothing) {
  const auto of_kernel = [](cudaGraphNode_t (*which)(Made&), uint64_t place) {
    return [which, place](cudaGraphExec_t exec, Made& first, Made&) {
      Kernel kernel(place, place + 20, 1, 3);
      return cudaGraphExecKernelNodeSetParams(exec, which(first), &kernel.of_node);
    };
  };
  auto expect = [&](std::initializer_list<int> places) {
    Done result = expected_[0];
    for (int place : places) result[static_cast<size_t>(place)] = expected_[2][static_cast<size_t>(place)];
    return result;
  };
  fail_each(2, of_kernel([](Made& made) { return made.nodes[1]; }, 1), expect({1}));
  EXPECT_GT(failures_, 0);
  fail_each(2, of_kernel([](Made& made) { return made.inside; }, 9), expect({9}));
  fail_each(2, of_kernel([](Made& made) { return made.in_body; }, 11), expect({11}));
  const auto set = [](cudaGraphExec_t exec, Made& first, Made&) {
    cudaMemsetParams params{};
    params.dst = device_words + 5, params.value = 3, params.elementSize = 1, params.width = 8, params.height = 1;
    return cudaGraphExecMemsetNodeSetParams(exec, first.nodes[3], &params);
  };
  fail_each(2, set, expect({13}));
  const auto copy = [](cudaGraphExec_t exec, Made& first, Made&) {
    return cudaGraphExecMemcpyNodeSetParams1D(exec, first.nodes[4], device_words + 4, device_words + 2,
                                              sizeof(uint64_t), cudaMemcpyDeviceToDevice);
  };
  fail_each(2, copy, expect({12}));
  const auto host = [](cudaGraphExec_t exec, Made& first, Made&) {
    static uint64_t said = 73;
    cudaHostNodeParams params = {[](void* what) { done[8] = *static_cast<uint64_t*>(what); }, &said};
    return cudaGraphExecHostNodeSetParams(exec, first.nodes[5], &params);
  };
  fail_each(2, host, expect({8}));
}

TEST_P(UpdateNoMemory, DisablingIsAllOrNothing) {
  Done afterwards = expected_[0];
  afterwards[1] = 0;
  Made first(0);
  cudaError_t status = cudaErrorMemoryAllocation;
  for (long n = 0; status != cudaSuccess; ++n) {
    cudaGraphExec_t exec = nullptr;
    MUST(cudaGraphInstantiate(&exec, first.graph, 0));
    if (in_flight()) hold(exec);
    until_failure = n, all_after = true;
    status = cudaGraphNodeSetEnabled(exec, first.nodes[1], 0);
    until_failure = -1;
    unsigned enabled = 7;
    MUST(cudaGraphNodeGetEnabled(exec, first.nodes[1], &enabled));
    ASSERT_EQ(status == cudaSuccess ? 0u : 1u, enabled);
    if (in_flight()) ASSERT_EQ(expected_[0], let_go());
    ASSERT_EQ(status == cudaSuccess ? afterwards : expected_[0], launch(exec));
    MUST(cudaGraphExecDestroy(exec));
  }
}

// Applying pending changes needs no memory, whatever they are. Here the next call applies them, since no launch is
// left.
TEST_P(UpdateNoMemory, ApplyingPendingChangesNeedsNoMemory) {
  static_assert(noexcept(std::declval<reprise_runtime::graph::PendingChanges&>().apply()));
  if (!in_flight()) return;
  for (int variant : {1, 2}) {
    Made first(0), next(variant);
    cudaGraphExec_t exec = nullptr;
    MUST(cudaGraphInstantiate(&exec, first.graph, 0));
    unsigned enabled = 0;
    MUST(cudaGraphNodeGetEnabled(exec, first.nodes[1], &enabled));
    hold(exec);
    MUST(cudaGraphExecUpdate(exec, next.graph, nullptr));
    ASSERT_EQ(expected_[0], let_go());
    until_failure = 0, all_after = true;
    const cudaError_t status = cudaGraphNodeGetEnabled(exec, first.nodes[1], &enabled);
    until_failure = -1;
    MUST(status);
    ASSERT_EQ(expected_[variant], launch(exec));
    MUST(cudaGraphExecDestroy(exec));
  }
}

// Pending changes stay pending if the launch fails for want of memory.
TEST_P(UpdateNoMemory, ALaunchThatFailsKeepsTheChanges) {
  if (!in_flight()) return;
  cudaEvent_t event = nullptr;
  MUST(cudaEventCreate(&event));
  for (long n = 0;; ++n) {
    Made first(0), next(2);
    // A launch that records an event allocates.
    for (Made* made : {&first, &next}) {
      cudaGraphNode_t record = nullptr;
      MUST(cudaGraphAddEventRecordNode(&record, made->graph, &made->nodes.back(), 1, event));
    }
    cudaGraphExec_t exec = nullptr;
    MUST(cudaGraphInstantiate(&exec, first.graph, 0));
    hold(exec);
    MUST(cudaGraphExecUpdate(exec, next.graph, nullptr));
    until_failure = n, all_after = false;
    const cudaError_t status = cudaGraphLaunch(exec, stream_);
    until_failure = -1;
    ASSERT_TRUE(status == cudaSuccess || status == cudaErrorMemoryAllocation) << cudaGetErrorName(status);
    ASSERT_EQ(status == cudaSuccess ? expected_[2] : expected_[0], let_go());
    ASSERT_EQ(expected_[2], launch(exec)) << n;
    MUST(cudaGraphExecDestroy(exec));
    if (status == cudaSuccess) {
      EXPECT_GT(n, 0);
      break;
    }
  }
  MUST(cudaEventDestroy(event));
}

TEST_P(UpdateNoMemory, InstantiatingIsAnError) {
  if (in_flight()) return;
  Made made(1);
  for (bool also_for_the_words : {false, true}) {
    cudaError_t status = cudaErrorMemoryAllocation;
    for (long n = 0; status != cudaSuccess; ++n) {
      cudaGraphExec_t exec = nullptr;
      until_failure = n, all_after = also_for_the_words;
      status = cudaGraphInstantiate(&exec, made.graph, 0);
      until_failure = -1;
      ASSERT_TRUE(status == cudaSuccess || status == cudaErrorMemoryAllocation) << cudaGetErrorName(status);
      if (status != cudaSuccess) continue;
      ASSERT_EQ(expected_[1], launch(exec));
      MUST(cudaGraphExecDestroy(exec));
    }
  }
}

// The first allocations are those of the launch itself. The event that a failed launch would have recorded is not
// pending.
TEST_P(UpdateNoMemory, ALaunchThatFailsBeginsNoRecords) {
  if (in_flight()) return;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  MUST(cudaEventCreate(&event));
  MUST(cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, event));
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  for (long n : {0, 1}) {
    until_failure = n, all_after = false;
    const cudaError_t status = cudaGraphLaunch(exec, stream_);
    until_failure = -1;
    ASSERT_EQ(cudaErrorMemoryAllocation, status) << n;
    MUST(cudaStreamSynchronize(stream_));
    EXPECT_EQ(cudaSuccess, cudaEventQuery(event)) << n;
  }
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaEventDestroy(event));
  MUST(cudaGraphDestroy(graph));
}

// User objects that a queued launch needs stay until it has ended.
TEST_P(UpdateNoMemory, DestroyingKeepsUserObjectsWithoutMemory) {
  if (!in_flight()) return;
  static std::atomic<int> destroyed{0};  // by another thread, perhaps after the test
  Made first(0), next(1);
  for (Made* made : {&first, &next}) {
    cudaUserObject_t object = nullptr;
    MUST(cudaUserObjectCreate(&object, nullptr, [](void*) { ++destroyed; }, 1, cudaUserObjectNoDestructorSync));
    MUST(cudaGraphRetainUserObject(made->graph, object, 1, cudaGraphUserObjectMove));
  }
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, first.graph, 0));
  hold(exec);
  MUST(cudaGraphExecUpdate(exec, next.graph, nullptr));
  until_failure = 0, all_after = true;
  const cudaError_t status = cudaGraphExecDestroy(exec);
  until_failure = -1;
  MUST(status);
  EXPECT_EQ(0, destroyed.load());
  ASSERT_EQ(expected_[0], let_go());
}

}  // namespace
