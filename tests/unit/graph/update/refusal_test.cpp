// Every reason for which an executable graph refuses a change: the call's error, the update's result and error node,
// and the message in the log, which names node and field. There are two devices, so that nodes and memory can belong to
// another device.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>

#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "graph/update/update_limits.h"
#include "hand_made_kernels.h"

namespace {

namespace field = reprise_runtime::graph::field;

[[maybe_unused]] const bool environment_set = (setenv("REPRISE_DEVICES", "2", 1), true);

void nothing(const void*, const reprise_launch*) {}
constexpr reprise_kernel kernels[] = {
    {"nothing", nothing, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"changing", nothing, nullptr, 0, 0, 0, 0, 0, 0, 0, reprise_kernel_changes_nodes, 0, 0, {}},
    {"launching", nothing, nullptr, 0, 0, 0, 0, 0, 0, 0, reprise_kernel_launches_graphs, 0, 0, {}}};
char stubs[3];
const void* const stub_pointers[] = {&stubs[0], &stubs[1], &stubs[2]};
reprise_runtime::test::Registered module("update_refusal", kernels, 3, stub_pointers);

void must(cudaError_t status) { ASSERT_EQ(cudaSuccess, status); }

// Log messages of the calls that `calls` makes.
template <class Calls>
std::string logged(Calls&& calls) {
  cudaLogIterator position = 0;
  must(cudaLogsCurrent(&position, 0));
  calls();
  std::vector<char> text(8192);
  size_t size = text.size();
  must(cudaLogsDumpToMemory(&position, text.data(), &size, 0));
  return std::string(text.data(), size);
}

class UpdateRefusal : public testing::Test {
 protected:
  using Build = std::function<cudaGraphNode_t(cudaGraph_t)>;  // returns the node under test

  void SetUp() override {
    must(cudaSetDevice(1));
    must(cudaMalloc(reinterpret_cast<void**>(&there), 4096));
    must(cudaSetDevice(0));
    must(cudaMalloc(reinterpret_cast<void**>(&here), 4096));
    must(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4096));
  }
  void TearDown() override {
    must(cudaSetDevice(0));
    must(cudaFree(here));
    must(cudaFree(there));
    must(cudaFreeHost(pinned));
  }

  static Build params(cudaGraphNodeParams made) {
    return [made](cudaGraph_t graph) mutable {
      cudaGraphNode_t node = nullptr;
      must(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &made));
      return node;
    };
  }
  static cudaGraphNodeParams kernel(int which = 0) {
    cudaGraphNodeParams made = {};
    made.type = cudaGraphNodeTypeKernel;
    made.kernel.func = &stubs[which];
    made.kernel.gridDim = dim3(2);
    made.kernel.blockDim = dim3(1);
    return made;
  }
  static cudaGraphNodeParams copy(void* to, void* from, cudaMemcpyKind kind = cudaMemcpyDefault, size_t rows = 1) {
    cudaGraphNodeParams made = {};
    made.type = cudaGraphNodeTypeMemcpy;
    made.memcpy.copyParams.dstPtr = {to, 64, 64, rows};
    made.memcpy.copyParams.srcPtr = {from, 64, 64, rows};
    made.memcpy.copyParams.extent = {16, rows, 1};
    made.memcpy.copyParams.kind = kind;
    return made;
  }
  static cudaGraphNodeParams set(void* to, size_t width = 8, size_t rows = 2, size_t pitch = 64, unsigned element = 1) {
    cudaGraphNodeParams made = {};
    made.type = cudaGraphNodeTypeMemset;
    made.memset.dst = to;
    made.memset.elementSize = element;
    made.memset.width = width;
    made.memset.height = rows;
    made.memset.pitch = pitch;
    return made;
  }

  void expect_words(const std::string& words, cudaGraphNode_t node, const std::string& what) {
    char name[32];
    std::snprintf(name, sizeof name, "node %p", static_cast<void*>(node));
    if (node) EXPECT_NE(std::string::npos, words.find(name)) << words;
    EXPECT_NE(std::string::npos, words.find(what)) << words;
  }

  // Expects that an update from the graph that `after` builds is refused for a field of the node that it returns.
  void whole(const Build& before, const Build& after, cudaGraphExecUpdateResult result, const char* what,
             unsigned long long flags = 0) {
    SCOPED_TRACE(what);
    cudaGraph_t first = nullptr, second = nullptr;
    cudaGraphExec_t exec = nullptr;
    must(cudaGraphCreate(&first, 0));
    must(cudaGraphCreate(&second, 0));
    before(first);
    must(cudaGraphInstantiate(&exec, first, flags));
    const cudaGraphNode_t node = after(second);
    must(cudaSetDevice(0));
    cudaGraphExecUpdateResultInfo info = {};
    const std::string words =
        logged([&] { EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, second, &info)); });
    EXPECT_EQ(result, info.result);
    EXPECT_EQ(node, info.errorNode);
    expect_words(words, node, what);
    met_.insert(what);
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(first));
    must(cudaGraphDestroy(second));
  }

  // Expects the same of an update of the node alone, and then of the whole graph.
  void both(const cudaGraphNodeParams& before, cudaGraphNodeParams after, cudaGraphExecUpdateResult result,
            const char* what, unsigned long long flags = 0) {
    SCOPED_TRACE(what);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    must(cudaGraphCreate(&graph, 0));
    const cudaGraphNode_t node = params(before)(graph);
    must(cudaGraphInstantiate(&exec, graph, flags));
    expect_words(logged([&] { EXPECT_EQ(cudaErrorInvalidValue, cudaGraphExecNodeSetParams(exec, node, &after)); }),
                 node, what);
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(graph));
    whole(params(before), params(after), result, what, flags);
  }

  // Adds a kernel with an attribute.
  static Build with(cudaLaunchAttributeID id, cudaLaunchAttributeValue value) {
    return [=](cudaGraph_t graph) {
      const cudaGraphNode_t node = params(kernel())(graph);
      must(cudaGraphKernelNodeSetAttribute(node, id, &value));
      return node;
    };
  }
  static Build on_second_device(cudaGraphNodeParams made) {
    return [made](cudaGraph_t graph) {
      must(cudaSetDevice(1));
      const cudaGraphNode_t node = params(made)(graph);
      must(cudaSetDevice(0));
      return node;
    };
  }
  // Adds a conditional node. Returns it, or the node in its body if there is one.
  static Build conditional(cudaGraphConditionalNodeType type, unsigned size, Build inside = nullptr) {
    return [=](cudaGraph_t graph) {
      cudaGraphNodeParams made = {};
      made.type = cudaGraphNodeTypeConditional;
      must(cudaGraphConditionalHandleCreate(&made.conditional.handle, graph, 0, 0));
      made.conditional.type = type;
      made.conditional.size = size;
      cudaGraphNode_t node = nullptr;
      must(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &made));
      return inside ? inside(made.conditional.phGraph_out[0]) : node;
    };
  }

  char *here = nullptr, *there = nullptr, *pinned = nullptr;
  std::set<std::string> met_;
};

constexpr auto parameters = cudaGraphExecUpdateErrorParametersChanged;
constexpr auto function = cudaGraphExecUpdateErrorUnsupportedFunctionChange;
constexpr auto attributes = cudaGraphExecUpdateErrorAttributesChanged;
constexpr auto unsupported = cudaGraphExecUpdateErrorNotSupported;
constexpr auto topology = cudaGraphExecUpdateErrorTopologyChanged;

class UpdateFieldRefusal : public UpdateRefusal {
 protected:
  void refuse_copies() {
    std::vector<char> pageable(64);
    both(copy(here, pinned), copy(here, pinned, cudaMemcpyHostToDevice), parameters, field::kind);
    both(copy(here, pinned), copy(here, pinned, cudaMemcpyDefault, 3), parameters, field::copy_box);
    both(copy(here, pinned), copy(there, pinned), parameters, field::destination_owner);
    void* pooled = nullptr;
    must(cudaMallocAsync(&pooled, 64, nullptr));
    both(copy(here, pinned), copy(pooled, pinned), parameters, field::destination_owner);
    both(copy(here, pooled), copy(here, pinned), parameters, field::source_owner);
    must(cudaFreeAsync(pooled, nullptr));
    both(copy(pinned, here), copy(pinned, there), parameters, field::source_owner);
    both(copy(here, pinned), copy(here, pageable.data()), parameters, field::pageable_on_device,
         cudaGraphInstantiateFlagDeviceLaunch);
    whole(params(copy(here, pinned)), on_second_device(copy(here, pinned)), parameters, field::device);
  }
  void refuse_sets() {
    both(set(here), set(there), parameters, field::memory_owner);
    both(set(here), set(here, 8, 3), parameters, field::set_height);
    both(set(here), set(here, 4), parameters, field::set_width);
    both(set(here), set(here, 8, 2, 128), parameters, field::set_pitch);
    both(set(here), set(here, 8, 2, 64, 2), parameters, field::set_element);
    const Build sets_own_memory = [](cudaGraph_t graph) {
      cudaMemAllocNodeParams made = {};
      made.poolProps.allocType = cudaMemAllocationTypePinned;
      made.poolProps.location.type = cudaMemLocationTypeDevice;
      made.bytesize = 4096;
      cudaGraphNode_t first = nullptr, node = nullptr, last = nullptr;
      must(cudaGraphAddMemAllocNode(&first, graph, nullptr, 0, &made));
      cudaMemsetParams value = {};
      value.dst = made.dptr, value.elementSize = 1, value.width = 8, value.height = 1;
      must(cudaGraphAddMemsetNode(&node, graph, &first, 1, &value));
      must(cudaGraphAddMemFreeNode(&last, graph, &node, 1, made.dptr));
      return node;
    };
    whole(sets_own_memory, sets_own_memory, cudaGraphExecUpdateError, field::graph_memory);
  }
  void refuse_kernels() {
    both(kernel(), kernel(1), function, field::function_changes_nodes);
    both(kernel(), kernel(2), function, field::function_launches_graphs);
    whole(params(kernel()), on_second_device(kernel()), function, field::function_device);
    cudaLaunchAttributeValue value = {};
    value.cooperative = 1;
    whole(params(kernel()), with(cudaLaunchAttributeCooperative, value), attributes, field::cooperative);
    value = {};
    value.priority = -1;
    whole(params(kernel()), with(cudaLaunchAttributePriority, value), attributes, field::priority,
          cudaGraphInstantiateFlagUseNodePriority);
    value = {};
    value.nvlinkUtilCentricScheduling = 1;
    whole(params(kernel()), with(cudaLaunchAttributeNvlinkUtilCentricScheduling, value), attributes, field::links);
    value = {};
    value.clusterDim.x = 2, value.clusterDim.y = value.clusterDim.z = 1;
    whole(params(kernel()), with(cudaLaunchAttributeClusterDimension, value), unsupported, field::cluster);
  }
  void refuse_events() {
    cudaEvent_t event = nullptr, gone = nullptr;
    must(cudaEventCreate(&event));
    must(cudaEventCreate(&gone));
    cudaGraphNodeParams records = {};
    records.type = cudaGraphNodeTypeEventRecord;
    records.eventRecord.event = event;
    whole(
        params(records),
        [&](cudaGraph_t graph) {
          records.eventRecord.event = gone;
          const cudaGraphNode_t node = params(records)(graph);
          must(cudaEventDestroy(gone));
          return node;
        },
        parameters, field::dead_event);
    must(cudaEventDestroy(event));
  }
  void refuse_semaphores() {
    int fd = -1;
    must(repriseCreateSemaphoreFd(&fd, repriseSemaphoreTimeline, 0));
    cudaExternalSemaphoreHandleDesc description = {};
    description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    description.handle.fd = fd;
    cudaExternalSemaphore_t semaphores[2] = {};
    must(cudaImportExternalSemaphore(&semaphores[0], &description));
    semaphores[1] = semaphores[0];
    cudaExternalSemaphoreSignalParams signals[2] = {};
    cudaExternalSemaphoreWaitParams waits[2] = {};
    cudaGraphNodeParams one = {}, two = {};
    one.type = two.type = cudaGraphNodeTypeExtSemaphoreSignal;
    one.extSemSignal = {semaphores, signals, 1}, two.extSemSignal = {semaphores, signals, 2};
    both(one, two, parameters, field::semaphores);
    one = two = {};
    one.type = two.type = cudaGraphNodeTypeExtSemaphoreWait;
    one.extSemWait = {semaphores, waits, 1}, two.extSemWait = {semaphores, waits, 2};
    both(one, two, parameters, field::semaphores);
    must(cudaDestroyExternalSemaphore(semaphores[0]));
  }
  void refuse_memory_operations() {
    CUcontext context = nullptr;
    ASSERT_EQ(CUDA_SUCCESS, cuCtxGetCurrent(&context));
    const auto write = [&](std::vector<void*> addresses) {
      return [context, addresses](cudaGraph_t graph) {
        std::vector<CUstreamBatchMemOpParams> operations(addresses.size());
        for (size_t i = 0; i < addresses.size(); ++i) {
          operations[i].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
          operations[i].writeValue.address = reinterpret_cast<CUdeviceptr>(addresses[i]);
        }
        CUDA_BATCH_MEM_OP_NODE_PARAMS made = {context, static_cast<unsigned>(operations.size()), operations.data(), 0};
        cudaGraphNode_t node = nullptr;
        EXPECT_EQ(CUDA_SUCCESS, cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &made));
        return node;
      };
    };
    whole(write({here}), write({here, here}), parameters, field::memory_operations);
    whole(write({here}), write({nullptr}), parameters, field::operation_address);
  }
  void refuse_conditional_nodes() {
    whole(conditional(cudaGraphCondTypeIf, 1), conditional(cudaGraphCondTypeWhile, 1), unsupported,
          field::condition_type);
    whole(conditional(cudaGraphCondTypeIf, 1), conditional(cudaGraphCondTypeIf, 2), unsupported, field::bodies);
    auto second_of_two = [](bool swapped) {
      return [=](cudaGraph_t graph) {
        cudaGraphConditionalHandle conditions[2] = {};
        for (auto& each : conditions) must(cudaGraphConditionalHandleCreate(&each, graph, 0, 0));
        cudaGraphNode_t nodes[2] = {};
        for (int i : {0, 1}) {
          cudaGraphNodeParams made = {};
          made.type = cudaGraphNodeTypeConditional;
          made.conditional = {conditions[i != swapped], cudaGraphCondTypeIf, 1, nullptr};
          must(cudaGraphAddNode(&nodes[i], graph, nodes, nullptr, i, &made));
        }
        return nodes[1];
      };
    };
    whole(second_of_two(false), second_of_two(true), unsupported, field::condition_place);
  }
};

TEST_F(UpdateFieldRefusal, EveryFieldIsNamed) {
  refuse_copies();
  refuse_sets();
  refuse_kernels();
  refuse_events();
  refuse_semaphores();
  refuse_memory_operations();
  refuse_conditional_nodes();
  for (const char* each : field::all) EXPECT_EQ(1u, met_.count(each)) << each;
}

TEST_F(UpdateRefusal, EveryTopologyIsNamed) {
  auto shape = [](std::vector<std::pair<int, int>> edges, int named, int count = 3) {
    return [=](cudaGraph_t graph) {
      std::vector<cudaGraphNode_t> nodes;
      for (int i = 0; i < count; ++i) nodes.push_back(params(kernel())(graph));
      for (auto [from, to] : edges) must(cudaGraphAddDependencies(graph, &nodes[from], &nodes[to], nullptr, 1));
      return named < 0 ? nullptr : nodes[named];
    };
  };
  const Build fork = shape({{0, 1}, {0, 2}}, -1), join = shape({{0, 2}, {1, 2}}, -1);
  whole(fork, shape({}, -1, 4), topology, "the number of nodes changed");
  whole(fork, shape({{0, 1}, {1, 2}}, -1), topology, "nothing depended on more nodes than now");
  whole(fork, shape({}, 0), topology, "something depended on it, and nothing does now");
  whole(join, shape({{0, 2}, {0, 1}, {1, 2}}, 1), topology, "it depends on another number of nodes");
  const cudaGraphEdgeData early = {cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic, {}};
  whole(
      shape({{0, 1}}, -1, 2),
      [&](cudaGraph_t graph) {
        const cudaGraphNode_t a = params(kernel())(graph), b = params(kernel())(graph);
        must(cudaGraphAddDependencies(graph, &a, &b, &early, 1));
        return b;
      },
      topology, "one of the edges into it is another one, from node");
  whole(params(kernel()), params(set(here)), cudaGraphExecUpdateErrorNodeTypeChanged, "not a kernel node");
}

// Refusals that concern a whole graph. The message names the node that is the reason, or the node whose graph has it.
TEST_F(UpdateRefusal, MemoryAndNodesThatDeviceCodeMayChange) {
  cudaGraph_t first = nullptr;
  cudaGraphExec_t exec = nullptr;
  must(cudaGraphCreate(&first, 0));
  params(kernel())(first);
  must(cudaGraphInstantiate(&exec, first, 0));
  auto allocate = [](cudaGraph_t graph) {
    cudaGraphNodeParams made = {};
    made.type = cudaGraphNodeTypeMemAlloc;
    made.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
    made.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
    made.alloc.bytesize = 4096;
    return params(made)(graph);
  };
  cudaLaunchAttributeValue yes = {};
  yes.deviceUpdatableKernelNode.deviceUpdatable = 1;
  const Build updatable = with(cudaLaunchAttributeDeviceUpdatableKernelNode, yes);
  auto refused = [&](bool moved, const Build& build, cudaError_t error, const char* what, bool instantiated = false) {
    cudaGraph_t graph = nullptr, inner = nullptr;
    must(cudaGraphCreate(&graph, 0));
    params(kernel())(graph);
    cudaGraphNode_t named = nullptr;
    if (moved) {
      must(cudaGraphCreate(&inner, 0));
      build(inner);
      cudaGraphNodeParams child = {};
      child.type = cudaGraphNodeTypeGraph;
      child.graph = {inner, cudaGraphChildGraphOwnershipMove};
      named = params(child)(graph);
    } else {
      named = build(graph);
    }
    cudaGraphExec_t of_graph = nullptr;
    if (instantiated) must(cudaGraphInstantiate(&of_graph, graph, 0));
    expect_words(logged([&] { EXPECT_EQ(error, cudaGraphExecUpdate(exec, graph, nullptr)); }), named, what);
    if (instantiated) {
      cudaGraphNodeParams same = {};
      same.type = cudaGraphNodeTypeMemAlloc;
      auto set = [&] { EXPECT_EQ(cudaErrorNotSupported, cudaGraphExecNodeSetParams(of_graph, named, &same)); };
      expect_words(logged(set), named, "its parameters cannot change");
      must(cudaGraphExecDestroy(of_graph));
    }
    must(cudaGraphDestroy(graph));
  };
  refused(false, allocate, cudaErrorNotSupported, "has memory nodes", true);
  refused(false, updatable, cudaErrorNotSupported, "nodes that device code may change");
  cudaGraph_t changing = nullptr;
  cudaGraphExec_t of_changing = nullptr;
  must(cudaGraphCreate(&changing, 0));
  updatable(changing);
  must(cudaGraphInstantiate(&of_changing, changing, 0));
  expect_words(logged([&] { EXPECT_EQ(cudaErrorNotSupported, cudaGraphExecUpdate(of_changing, first, nullptr)); }),
               nullptr, "the executable graph: graphs with nodes that device code may change");
  must(cudaGraphExecDestroy(of_changing));
  must(cudaGraphDestroy(changing));
  must(cudaGraphExecDestroy(exec));
  must(cudaGraphDestroy(first));
}

// Refusals that concern the node itself.
TEST_F(UpdateRefusal, EveryWrongNodeIsNamed) {
  cudaGraph_t graph = nullptr, other = nullptr;
  cudaGraphExec_t exec = nullptr;
  must(cudaGraphCreate(&graph, 0));
  must(cudaGraphCreate(&other, 0));
  const cudaGraphNode_t node = params(kernel())(graph), foreign = params(kernel())(other),
                        branch = conditional(cudaGraphCondTypeIf, 1)(graph);
  must(cudaGraphInstantiate(&exec, graph, 0));
  auto refused = [&](cudaError_t expected, cudaGraphNode_t named, const char* what,
                     const std::function<cudaError_t()>& call) {
    expect_words(logged([&] { EXPECT_EQ(expected, call()) << what; }), named, what);
  };
  cudaGraphNodeParams next = kernel(), sets = set(here), nothing_new = {};
  nothing_new.type = cudaGraphNodeTypeConditional;
  refused(cudaErrorInvalidValue, foreign, "is not one of the graph that was instantiated",
          [&] { return cudaGraphExecNodeSetParams(exec, foreign, &next); });
  refused(cudaErrorInvalidValue, node, "is a kernel node, not a memset node",
          [&] { return cudaGraphExecNodeSetParams(exec, node, &sets); });
  refused(cudaErrorInvalidValue, branch, "only kernels, copies and sets can be disabled",
          [&] { return cudaGraphNodeSetEnabled(exec, branch, 0); });
  refused(cudaErrorNotSupported, branch, "its parameters cannot change",
          [&] { return cudaGraphExecNodeSetParams(exec, branch, &nothing_new); });
  next.kernel.gridDim = dim3(0);
  refused(cudaErrorInvalidValue, node, "each side of a grid",
          [&] { return cudaGraphExecNodeSetParams(exec, node, &next); });
  must(cudaGraphExecDestroy(exec));
  must(cudaGraphDestroy(graph));
  must(cudaGraphDestroy(other));
}

// The owner of memory of every kind is the device that was current at its allocation; ordinary host memory has no
// owner.
TEST_F(UpdateRefusal, TheOwnerOfEveryKindOfMemory) {
  struct Kind {
    const char* name;
    char* of[2];
  };
  std::vector<Kind> kinds = {{"device", {}}, {"pinned", {}}, {"managed", {}}, {"registered", {}}};
  std::vector<char> plain[2] = {std::vector<char>(8192), std::vector<char>(8192)}, pageable(64);
  for (int device : {0, 1}) {
    must(cudaSetDevice(device));
    must(cudaMalloc(reinterpret_cast<void**>(&kinds[0].of[device]), 128));
    must(cudaMallocHost(reinterpret_cast<void**>(&kinds[1].of[device]), 128));
    must(cudaMallocManaged(reinterpret_cast<void**>(&kinds[2].of[device]), 128));
    must(cudaHostRegister(kinds[3].of[device] = plain[device].data(), 8192, cudaHostRegisterPortable));
  }
  must(cudaSetDevice(0));
  auto taken = [&](const cudaGraphNodeParams& before, cudaGraphNodeParams after) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    must(cudaGraphCreate(&graph, 0));
    const cudaGraphNode_t node = params(before)(graph);
    must(cudaGraphInstantiate(&exec, graph, 0));
    EXPECT_EQ(cudaSuccess, cudaGraphExecNodeSetParams(exec, node, &after));
    must(cudaGraphExecDestroy(exec));
    must(cudaGraphDestroy(graph));
  };
  for (const Kind& before : kinds) {
    for (const Kind& after : kinds) {
      SCOPED_TRACE(std::string(before.name) + ", then " + after.name);
      for (int device : {0, 1}) {
        char *const first = before.of[device], *const same = after.of[device], *const others = after.of[1 - device];
        both(copy(first, here), copy(others, here), parameters, field::destination_owner);
        both(copy(here, first), copy(here, others), parameters, field::source_owner);
        both(set(first), set(others), parameters, field::memory_owner);
        taken(copy(first, here), copy(same, here));
        taken(copy(here, first), copy(here, same));
        taken(set(first), set(same));
      }
    }
    for (char* each : before.of) {
      taken(copy(here, each), copy(here, pageable.data()));
      taken(copy(here, pageable.data()), copy(here, each));
    }
  }
  for (int device : {0, 1}) {
    must(cudaFree(kinds[0].of[device]));
    must(cudaFreeHost(kinds[1].of[device]));
    must(cudaFree(kinds[2].of[device]));
    must(cudaHostUnregister(kinds[3].of[device]));
  }
}

TEST_F(UpdateRefusal, ChangesWithinTheLimitsAreAccepted) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  must(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t copying = params(copy(here, pinned))(graph), setting = params(set(here))(graph);
  must(cudaGraphInstantiate(&exec, graph, 0));
  for (cudaGraphNodeParams next : {copy(here + 64, here), copy(pinned, here), copy(here, pinned)}) {
    EXPECT_EQ(cudaSuccess, cudaGraphExecNodeSetParams(exec, copying, &next));
  }
  cudaGraphNodeParams next = set(here + 512);
  EXPECT_EQ(cudaSuccess, cudaGraphExecNodeSetParams(exec, setting, &next));
  must(cudaGraphExecDestroy(exec));
  must(cudaGraphDestroy(graph));
}

}  // namespace
