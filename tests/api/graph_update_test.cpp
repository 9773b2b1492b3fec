// Updates that cannot be verified on a GPU here: semaphores, which need a graphics driver there, clusters, memory
// that would leak, and log messages.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "hand_made_kernels.h"

namespace {

void nothing(const void*, const reprise_launch*) {}
constexpr reprise_kernel kernels[] = {
    {"nothing", nothing, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"changing", nothing, nullptr, 0, 0, 0, 0, 0, 0, 0, reprise_kernel_changes_nodes, 0, 0, {}}};
char stubs[2];
const void* const stub_pointers[] = {&stubs[0], &stubs[1]};
reprise_runtime::test::Registered module("graph_update", kernels, 2, stub_pointers);

class Timeline {
 public:
  Timeline() {
    EXPECT_EQ(0, repriseCreateSemaphoreFd(&fd_, repriseSemaphoreTimeline, 0));
    cudaExternalSemaphoreHandleDesc description = {};
    description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    description.handle.fd = dup(fd_);
    EXPECT_EQ(cudaSuccess, cudaImportExternalSemaphore(&semaphore, &description));
  }
  ~Timeline() {
    EXPECT_EQ(cudaSuccess, cudaDestroyExternalSemaphore(semaphore));
    close(fd_);
  }
  Timeline(const Timeline&) = delete;

  bool reached(unsigned long long value) const { return repriseWaitSemaphoreFd(fd_, value, 0) == 0; }

  cudaExternalSemaphore_t semaphore = nullptr;

 private:
  int fd_ = -1;
};

class GraphUpdateTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0)); }
  void TearDown() override {
    if (exec_) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
  }
  void instantiate() { ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0)); }
  void launch() {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec_, nullptr));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
  static cudaKernelNodeParams kernel_params(int function) {
    cudaKernelNodeParams params = {};
    params.func = &stubs[function];
    params.gridDim = dim3(2);
    params.blockDim = dim3(1);
    return params;
  }
  static cudaGraphNode_t add_kernel(cudaGraph_t graph, int function = 0, const cudaGraphNode_t* before = nullptr) {
    const cudaKernelNodeParams params = kernel_params(function);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, before, before ? 1 : 0, &params));
    return node;
  }
  static cudaGraphNode_t add_set(cudaGraph_t graph, void* memory, size_t width) {
    cudaMemsetParams params = {};
    params.dst = memory;
    params.elementSize = 1;
    params.width = width;
    params.height = 2;
    params.pitch = 16;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
    return node;
  }
  static void add_allocation(cudaGraph_t graph) {
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 4096;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    add_kernel(graph, 0, &node);
  }
  // Log messages of the calls that `calls` makes.
  template <class Calls>
  static std::string logged(Calls&& calls) {
    cudaLogIterator position = 0;
    EXPECT_EQ(cudaSuccess, cudaLogsCurrent(&position, 0));
    calls();
    std::vector<char> text(8192);
    size_t size = text.size();
    EXPECT_EQ(cudaSuccess, cudaLogsDumpToMemory(&position, text.data(), &size, 0));
    return std::string(text.data(), size);
  }
  static void expect_names(const std::string& words, cudaGraphNode_t node, const char* field) {
    char handle[32];
    std::snprintf(handle, sizeof handle, "%p", static_cast<void*>(node));
    if (node) EXPECT_NE(std::string::npos, words.find(handle)) << words;
    EXPECT_NE(std::string::npos, words.find(field)) << words;
  }
  // An update of the whole graph fails with this result, which names the node; the log names node and field.
  void expect_refused(cudaGraph_t from, cudaGraphExecUpdateResult result, cudaGraphNode_t node, const char* field) {
    cudaGraphExecUpdateResultInfo info = {};
    const std::string words =
        logged([&] { EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec_, from, &info)); });
    EXPECT_EQ(result, info.result);
    EXPECT_EQ(node, info.errorNode);
    expect_names(words, node, field);
  }

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

TEST_F(GraphUpdateTest, SemaphoresAndValuesMayChangeButNotHowMany) {
  Timeline first, second;
  cudaExternalSemaphore_t list[] = {first.semaphore, second.semaphore};
  cudaExternalSemaphoreSignalParams signals[2] = {};
  signals[0].params.fence.value = 3;
  cudaExternalSemaphoreSignalNodeParams params = {list, signals, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresSignalNode(&node, graph_, nullptr, 0, &params));
  instantiate();
  params.extSemArray = list + 1;
  signals[0].params.fence.value = 5;
  EXPECT_EQ(cudaSuccess, cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec_, node, &params));
  launch();
  EXPECT_FALSE(first.reached(1));
  EXPECT_TRUE(second.reached(5));
  params = {list, signals, 2};
  EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec_, node, &params));
  launch();
  EXPECT_FALSE(first.reached(1));
}

TEST_F(GraphUpdateTest, AWaitGoesByTheNewValue) {
  Timeline timeline;
  cudaExternalSemaphoreSignalParams signal = {};
  signal.params.fence.value = 2;
  ASSERT_EQ(cudaSuccess, cudaSignalExternalSemaphoresAsync(&timeline.semaphore, &signal, 1, nullptr));
  cudaExternalSemaphoreWaitParams wait = {};
  wait.params.fence.value = 100;  // which never comes
  cudaExternalSemaphoreWaitNodeParams params = {&timeline.semaphore, &wait, 1};
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresWaitNode(&node, graph_, nullptr, 0, &params));
  instantiate();
  wait.params.fence.value = 2;
  EXPECT_EQ(cudaSuccess, cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec_, node, &params));
  launch();
}

TEST_F(GraphUpdateTest, TheLogNamesNodeAndField) {
  char* space = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocHost(reinterpret_cast<void**>(&space), 256));
  const cudaGraphNode_t node = add_set(graph_, space, 8);
  instantiate();
  cudaMemsetParams params = {};
  ASSERT_EQ(cudaSuccess, cudaGraphMemsetNodeGetParams(node, &params));
  params.width = 4;
  expect_names(
      logged([&] { EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecMemsetNodeSetParams(exec_, node, &params)); }), node,
      "width");
  EXPECT_EQ(cudaSuccess, cudaFreeHost(space));
}

TEST_F(GraphUpdateTest, TheLogNamesWhatIsWrongWithTheShapeOfAKernel) {
  const cudaGraphNode_t node = add_kernel(graph_);
  instantiate();
  auto refused = [&](const cudaKernelNodeParams& params, const char* field) {
    auto set = [&] { EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecKernelNodeSetParams(exec_, node, &params)); };
    expect_names(logged(set), node, field);
  };
  cudaKernelNodeParams params = kernel_params(0);
  params.gridDim.x = 0;
  refused(params, "each side of a grid");
  params = kernel_params(0);
  params.blockDim.x = 4096;
  refused(params, "each side of a block");
  params.blockDim = dim3(64, 64);
  refused(params, "threads; the limit is 1024");
  params = kernel_params(0);
  params.sharedMemBytes = 1 << 30;
  refused(params, "bytes of dynamic shared memory are allowed");
}

TEST_F(GraphUpdateTest, TheLogSaysWhyAWholeUpdateFails) {
  char* space = nullptr;
  ASSERT_EQ(cudaSuccess, cudaMallocHost(reinterpret_cast<void**>(&space), 256));
  add_kernel(graph_);
  add_set(graph_, space, 8);
  instantiate();
  // Updates from another graph, of a kernel and a memset by default, and returns the result.
  auto refused = [&](cudaGraphExecUpdateResult result, const char* field, auto&& fill) {
    cudaGraph_t other = nullptr;
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&other, 0));
    const cudaGraphNode_t named = fill(other);
    expect_refused(other, result, named, field);
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
  };
  refused(cudaGraphExecUpdateErrorNodeTypeChanged, "not a memset node", [&](cudaGraph_t other) {
    add_kernel(other);
    return add_kernel(other);
  });
  refused(cudaGraphExecUpdateErrorParametersChanged, "width", [&](cudaGraph_t other) {
    add_kernel(other);
    return add_set(other, space, 4);
  });
  refused(cudaGraphExecUpdateErrorUnsupportedFunctionChange, "function", [&](cudaGraph_t other) {
    const cudaGraphNode_t kernel = add_kernel(other, 1);
    add_set(other, space, 8);
    return kernel;
  });
  refused(cudaGraphExecUpdateErrorAttributesChanged, "cooperative", [&](cudaGraph_t other) {
    const cudaGraphNode_t kernel = add_kernel(other);
    add_set(other, space, 8);
    cudaLaunchAttributeValue value = {};
    value.cooperative = 1;
    EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeCooperative, &value));
    return kernel;
  });
  refused(cudaGraphExecUpdateErrorTopologyChanged, "number of nodes", [&](cudaGraph_t other) {
    add_kernel(other);
    return cudaGraphNode_t{};
  });
  refused(cudaGraphExecUpdateErrorTopologyChanged, "nothing depended on more nodes", [&](cudaGraph_t other) {
    const cudaGraphNode_t kernel = add_kernel(other), set = add_set(other, space, 8);
    EXPECT_EQ(cudaSuccess, cudaGraphAddDependencies(other, &kernel, &set, nullptr, 1));
    return cudaGraphNode_t{};
  });
  EXPECT_EQ(cudaSuccess, cudaFreeHost(space));
}

TEST_F(GraphUpdateTest, ClustersAreRefusedAsByInstantiation) {
  add_kernel(graph_);
  instantiate();
  cudaGraph_t other = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&other, 0));
  const cudaGraphNode_t kernel = add_kernel(other);
  cudaLaunchAttributeValue value = {};
  value.clusterDim.x = 2;
  value.clusterDim.y = value.clusterDim.z = 1;
  ASSERT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeClusterDimension, &value));
  expect_refused(other, cudaGraphExecUpdateErrorNotSupported, kernel, "cluster");
  value.clusterDim.x = 1;
  ASSERT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeClusterDimension, &value));
  cudaGraphExecUpdateResultInfo info = {};
  EXPECT_EQ(cudaSuccess, cudaGraphExecUpdate(exec_, other, &info));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
}

TEST_F(GraphUpdateTest, AChildIsNotUpdatedFromGraphsWithMemory) {
  cudaGraph_t inner = nullptr, other = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&other, 0));
  add_allocation(inner);
  add_allocation(other);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = inner;
  params.graph.ownership = cudaGraphChildGraphOwnershipMove;
  cudaGraphNode_t child = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddNode(&child, graph_, nullptr, nullptr, 0, &params));
  instantiate();
  const std::string words = logged(
      [&] { EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(exec_, child, other)); });
  EXPECT_NE(std::string::npos, words.find("memory nodes")) << words;
  EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(exec_, child, inner));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
}

TEST_F(GraphUpdateTest, AChildIsUpdatedBesideNodesThatDeviceCodeMayChange) {
  cudaGraph_t inner = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
  add_kernel(inner);
  cudaGraphNode_t child = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  const cudaGraphNode_t kernel = add_kernel(graph_);
  cudaLaunchAttributeValue value = {};
  value.deviceUpdatableKernelNode.deviceUpdatable = 1;
  ASSERT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
  instantiate();
  EXPECT_EQ(cudaSuccess, cudaGraphExecChildGraphNodeSetParams(exec_, child, inner));
  launch();
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
}

// One thread updates from a graph, another from its child graph, a third modifies the graph: none of them deadlocks.
TEST_F(GraphUpdateTest, FromAGraphAndFromItsChildGraphAtTheSameTime) {
  cudaGraph_t inner = nullptr, other = nullptr, inside = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&other, 0));
  add_kernel(inner);
  cudaGraphNode_t child = nullptr, others = nullptr, node = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  ASSERT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&others, other, nullptr, 0, inner));
  ASSERT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(others, &inside));
  size_t one = 1;
  ASSERT_EQ(cudaSuccess, cudaGraphGetNodes(inside, &node, &one));
  instantiate();
  std::atomic<int> ready{0};
  auto often = [&](auto call) {
    return std::thread([&ready, call] {
      for (++ready; ready < 4;) std::this_thread::yield();
      for (int i = 0; i < 10000; ++i) ASSERT_EQ(cudaSuccess, call(i));
    });
  };
  std::thread threads[] = {often([&](int) { return cudaGraphExecUpdate(exec_, other, nullptr); }),
                           often([&](int) { return cudaGraphExecChildGraphNodeSetParams(exec_, child, inside); }),
                           often([&](int i) {
                             cudaKernelNodeParams params = kernel_params(0);
                             params.gridDim.x = 1 + static_cast<unsigned>(i) % 2;
                             return cudaGraphKernelNodeSetParams(node, &params);
                           }),
                           often([&](int) {
                             cudaGraphExec_t more = nullptr;
                             if (cudaError_t failed = cudaGraphInstantiate(&more, other, 0); failed != cudaSuccess)
                               return failed;
                             if (cudaError_t failed = cudaGraphExecUpdate(more, other, nullptr); failed != cudaSuccess)
                               return failed;
                             return cudaGraphExecDestroy(more);
                           })};
  for (int i = 0; i < 1000; ++i) launch();
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
}

// An update releases the previous user objects, but not while a launch that needs them is queued, even if the
// executable graph is destroyed first.
TEST_F(GraphUpdateTest, ObjectsStayForLaunchesThatAreQueued) {
  for (bool destroyed : {false, true}) {
    SCOPED_TRACE(destroyed);
    std::atomic<bool> open{false};
    cudaUserObject_t objects[2] = {};
    cudaGraph_t graphs[2] = {};
    for (int i : {0, 1}) {
      ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graphs[i], 0));
      add_kernel(graphs[i], 0);
      ASSERT_EQ(cudaSuccess, cudaUserObjectCreate(&objects[i], &open, [](void*) {}, 1, cudaUserObjectNoDestructorSync));
      ASSERT_EQ(cudaSuccess, cudaGraphRetainUserObject(graphs[i], objects[i], 1, cudaGraphUserObjectMove));
    }
    // The handle is valid while there are references.
    auto held = [&](int i) {
      return cudaUserObjectRetain(objects[i], 1) == cudaSuccess && cudaUserObjectRelease(objects[i], 1) == cudaSuccess;
    };
    // The thread that ran a launch releases it after reporting completion.
    auto goes = [&](int i) {
      for (int ms = 0; held(i) && ms < 30000; ++ms) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return !held(i);
    };
    cudaStream_t stream = nullptr;
    cudaGraphExec_t exec = nullptr;
    ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graphs[0], 0));
    auto wait = [](void* gate) {
      while (!*static_cast<std::atomic<bool>*>(gate)) std::this_thread::yield();
    };
    ASSERT_EQ(cudaSuccess, cudaLaunchHostFunc(stream, wait, &open));
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
    ASSERT_EQ(cudaSuccess, cudaGraphExecUpdate(exec, graphs[1], nullptr));
    for (cudaGraph_t each : graphs) EXPECT_EQ(cudaSuccess, cudaGraphDestroy(each));
    EXPECT_TRUE(held(0));
    EXPECT_TRUE(held(1));
    if (destroyed) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
    EXPECT_TRUE(held(0));
    if (!destroyed) EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
    EXPECT_TRUE(held(0));
    open = true;
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
    if (!destroyed) {
      EXPECT_TRUE(goes(0));
      EXPECT_TRUE(held(1));
      EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
    }
    EXPECT_TRUE(goes(0));
    EXPECT_TRUE(goes(1));
  }
}

// Instantiation refuses it too.
TEST_F(GraphUpdateTest, EventsThatWereDestroyedAreNotTaken) {
  cudaEvent_t event = nullptr, gone = nullptr;
  ASSERT_EQ(cudaSuccess, cudaEventCreate(&event));
  cudaGraphNode_t node = nullptr;
  for (bool record : {true, false}) {
    auto add = [&](cudaGraph_t graph, cudaEvent_t named) {
      ASSERT_EQ(cudaSuccess, record ? cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, named)
                                    : cudaGraphAddEventWaitNode(&node, graph, nullptr, 0, named));
    };
    add(graph_, event);
    instantiate();
    cudaGraph_t other = nullptr;
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&other, 0));
    ASSERT_EQ(cudaSuccess, cudaEventCreate(&gone));
    add(other, gone);
    ASSERT_EQ(cudaSuccess, cudaEventDestroy(gone));
    expect_refused(other, cudaGraphExecUpdateErrorParametersChanged, node, "event, to one that was destroyed");
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    exec_ = nullptr;
  }
  EXPECT_EQ(cudaSuccess, cudaEventDestroy(event));
}

TEST_F(GraphUpdateTest, AChildThatDoesNotPairUpIsNamedToo) {
  cudaGraph_t inner = nullptr, other = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&inner, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&other, 0));
  add_kernel(inner);
  const cudaGraphNode_t changing = add_kernel(other, 1);
  cudaGraphNode_t child = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&child, graph_, nullptr, 0, inner));
  instantiate();
  auto set = [&] {
    EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(exec_, child, other));
  };
  expect_names(logged(set), changing, "function to one that changes nodes");
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(inner));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(other));
}

}  // namespace
