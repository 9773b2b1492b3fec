// One node of an executable graph changed: what may change for each type, and which node is meant.
#include "graph/update/update_shapes.h"

namespace {

__device__ int variable[4];
__constant__ int constants[4];

__global__ void store_shape(int* where) {
  where[0] = gridDim.x;
  where[1] = blockDim.x;
}

class GraphNodeUpdate : public Graphs {
 protected:
  DeviceArray<int> cell{16};
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
};

// ---- which node ---------------------------------------------------------------------------------------------------

TEST_F(GraphNodeUpdate, TheNodeIsOneOfTheGraphThatWasInstantiated) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  KernelParams two(store, cell.get(), 2);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  launch(exec);
  EXPECT_EQ("2", cells(1));
  Graph other;
  const auto foreign = other.store(cell.get(), 3);
  ASK(bad, cudaGraphExecKernelNodeSetParams(exec, foreign, &two.params));
  auto wrong = two.params;
  wrong.func = nullptr;
  ASK_CASE("no function for a foreign node", cudaErrorInvalidDeviceFunction,
           cudaGraphExecKernelNodeSetParams(exec, foreign, &wrong));
  wrong.func = &wrong;
  ASK_CASE("no kernel for a foreign node", cudaErrorInvalidResourceHandle,
           cudaGraphExecKernelNodeSetParams(exec, foreign, &wrong));
  ASK_CASE(
      "no kind for a foreign node", cudaErrorInvalidMemcpyDirection,
      cudaGraphExecMemcpyNodeSetParams1D(exec, foreign, cell.get(), cell.get() + 1, 4, static_cast<cudaMemcpyKind>(9)));
  ASK_CASE("no symbol for a kernel", cudaErrorInvalidSymbol,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, node, &wrong, cell.get(), 4, 0, cudaMemcpyDeviceToDevice));
  cudaGraph_t copy = nullptr;
  MUST(cudaGraphClone(&copy, graph));
  Graph clone(copy);
  cudaGraphNode_t twin = nullptr;
  MUST(cudaGraphNodeFindInClone(&twin, node, clone));
  ASK_CASE("a clone's node", bad, cudaGraphExecKernelNodeSetParams(exec, twin, &two.params));
  const auto later = graph.store(cell.get(), 4);
  ASK_CASE("a node added later", bad, cudaGraphExecKernelNodeSetParams(exec, later, &two.params));
  Exec of_clone(clone);
  ASK_CASE("the original's node for the clone's executable", bad,
           cudaGraphExecKernelNodeSetParams(of_clone, node, &two.params));
}

TEST_F(GraphNodeUpdate, ArgumentsAreChecked) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  KernelParams two(store, cell.get(), 2);
  ASK(bad, cudaGraphExecKernelNodeSetParams(nullptr, node, &two.params));
  ASK(bad, cudaGraphExecKernelNodeSetParams(exec, nullptr, &two.params));
  ASK(bad, cudaGraphExecMemsetNodeSetParams(exec, node, nullptr));
  ASK(bad, cudaGraphExecMemcpyNodeSetParams(exec, node, nullptr));
  ASK(bad, cudaGraphExecHostNodeSetParams(exec, node, nullptr));
  ASK(bad, cudaGraphExecNodeSetParams(exec, node, nullptr));
  launch(exec);
  EXPECT_EQ("1", cells(1));
  CRASHES_ON_NVIDIA("a kernel node without parameters");
  ASK(bad, cudaGraphExecKernelNodeSetParams(exec, node, nullptr));
}

TEST_F(GraphNodeUpdate, TheTypeMustFit) {
  int* at = cell.get();
  std::atomic<int> calls{0};
  Event event;
  Graph inner;
  inner.empty();
  const struct {
    const char* name;
    cudaGraphNode_t node;
  } nodes[] = {{"kernel", graph.store(at, 1)},  {"memcpy", graph.copy(at, at + 4, 4)},
               {"memset", graph.set(at, 1, 4)}, {"host", graph.host(count_call, &calls)},
               {"empty", graph.empty()},        {"child", graph.child(inner)},
               {"record", graph.record(event)}, {"wait", graph.wait(event)}};
  Exec exec(graph);
  KernelParams kernel(store, at, 2);
  const auto set = memset_params(at, 2, 1, 4);
  const auto copy = copy_params(at, at + 4, 4, cudaMemcpyDefault);
  cudaHostNodeParams host{};
  host.fn = count_call;
  host.userData = &calls;
  for (const auto& row : nodes) {
    const std::string name(row.name);
    auto fits = [&](const char* type) { return name == type ? ok : bad; };
    ASK_CASE(name + " as kernel", fits("kernel"), cudaGraphExecKernelNodeSetParams(exec, row.node, &kernel.params));
    ASK_CASE(name + " as memset", fits("memset"), cudaGraphExecMemsetNodeSetParams(exec, row.node, &set));
    ASK_CASE(name + " as memcpy", fits("memcpy"), cudaGraphExecMemcpyNodeSetParams(exec, row.node, &copy));
    ASK_CASE(name + " as host", fits("host"), cudaGraphExecHostNodeSetParams(exec, row.node, &host));
    ASK_CASE(name + " as child", fits("child"), cudaGraphExecChildGraphNodeSetParams(exec, row.node, inner));
    ASK_CASE(name + " as record", fits("record"), cudaGraphExecEventRecordNodeSetEvent(exec, row.node, event));
    ASK_CASE(name + " as wait", fits("wait"), cudaGraphExecEventWaitNodeSetEvent(exec, row.node, event));
  }
}

TEST_F(GraphNodeUpdate, NodesInsideChildGraphs) {
  Graph inner, middle;
  const auto original = inner.store(cell.get(), 1);
  middle.child(inner);
  const auto child = graph.child(middle);
  cudaGraph_t body = nullptr, deepest = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &body));
  MUST(cudaGraphChildGraphNodeGetGraph(nodes_of(body).at(0), &deepest));
  const auto node = nodes_of(deepest).at(0);
  Exec exec(graph);
  KernelParams two(store, cell.get(), 2);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  launch(exec);
  EXPECT_EQ("2", cells(1));
  ASK_CASE("the node that was cloned into the child", bad,
           cudaGraphExecKernelNodeSetParams(exec, original, &two.params));
}

TEST_F(GraphNodeUpdate, TheTemplateIsNotTouched) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  KernelParams two(store, cell.get(), 2);
  MUST(cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  cudaKernelNodeParams told{};
  MUST(cudaGraphKernelNodeGetParams(node, &told));
  EXPECT_EQ(1, *static_cast<int*>(told.kernelParams[1]));
  Exec again(graph);
  launch(again);
  EXPECT_EQ("1", cells(1));
}

TEST_F(GraphNodeUpdate, OtherEdgesOfTheTemplateDoNotMatter) {
  const auto node = graph.store(cell.get(), 1);
  const auto end = graph.empty({node});
  Exec exec(graph);
  MUST(cudaGraphRemoveDependencies(graph, &node, &end, nullptr, 1));
  const auto more = graph.empty();
  MUST(graph.edge(more, node));
  KernelParams two(store, cell.get(), 2);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  launch(exec);
  EXPECT_EQ("2", cells(1));
}

class HazardGraphNodeUpdate : public GraphNodeUpdate {};

TEST_F(HazardGraphNodeUpdate, ADestroyedNode) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  MUST(cudaGraphDestroyNode(node));
  KernelParams two(store, cell.get(), 2);
  UNDEFINED_ON_NVIDIA("a node that is gone");
  ASK(bad, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  unsigned enabled;
  ASK(bad, cudaGraphNodeGetEnabled(exec, node, &enabled));
}

TEST_F(HazardGraphNodeUpdate, ADestroyedExecutableGraph) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  const auto gone = exec.release();
  MUST(cudaGraphExecDestroy(gone));
  KernelParams two(store, cell.get(), 2);
  UNDEFINED_ON_NVIDIA("an executable graph that is gone");
  ASK(bad, cudaGraphExecKernelNodeSetParams(gone, node, &two.params));
  cudaGraphExecUpdateResultInfo info;
  ASK(bad, cudaGraphExecUpdate(gone, graph, &info));
  unsigned enabled;
  ASK(bad, cudaGraphNodeGetEnabled(gone, node, &enabled));
  ASK(bad, cudaGraphNodeSetEnabled(gone, node, 0));
}

// ---- kernels ------------------------------------------------------------------------------------------------------

TEST_F(GraphNodeUpdate, KernelsMayChangeShapeAndFunction) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  KernelParams shape(store_shape, cell.get());
  shape.params.gridDim = 7;
  shape.params.blockDim = 9;
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &shape.params));
  launch(exec);
  EXPECT_EQ("7 9", cells(2));
  KernelParams sum(store_sum, cell.get(), 1, 2, 3);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &sum.params));
  launch(exec);
  EXPECT_EQ("6 9", cells(2));
  KernelParams none(nothing);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &none.params));
  launch(exec);
  EXPECT_EQ("6 9", cells(2));
}

TEST_F(GraphNodeUpdate, KernelsThatCouldNotBeAddedAreRefused) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  KernelParams two(store, cell.get(), 2);
  auto with = [&](auto change) {
    cudaKernelNodeParams params = two.params;
    change(params);
    return cudaGraphExecKernelNodeSetParams(exec, node, &params);
  };
  ASK_CASE("no function", cudaErrorInvalidDeviceFunction, with([](auto& p) { p.func = nullptr; }));
  ASK_CASE("no grid", bad, with([](auto& p) { p.gridDim.x = 0; }));
  ASK_CASE("no block", bad, with([](auto& p) { p.blockDim.y = 0; }));
  ASK_CASE("2048 threads", bad, with([](auto& p) { p.blockDim.x = 2048; }));
  ASK_CASE("1 MB of shared memory", bad, with([](auto& p) { p.sharedMemBytes = 1 << 20; }));
  ASK_CASE("no arguments", bad, with([](auto& p) { p.kernelParams = nullptr; }));
  int value = 0;
  ASK_CASE("no kernel", cudaErrorInvalidResourceHandle, with([&](auto& p) { p.func = &value; }));
  launch(exec);
  EXPECT_EQ("1", cells(1));
}

TEST_F(GraphNodeUpdate, KernelArgumentsInOneBuffer) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  struct {
    int* where;
    int value;
  } buffer{cell.get(), 5};
  size_t bytes = 12;
  void* extra[] = {reinterpret_cast<void*>(uintptr_t{1}), &buffer, reinterpret_cast<void*>(uintptr_t{2}), &bytes,
                   nullptr};
  cudaKernelNodeParams params = kernel_params(store, nullptr);
  params.extra = extra;
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &params));
  launch(exec);
  EXPECT_EQ("5", cells(1));
  KernelParams six(store, cell.get(), 6);
  six.params.extra = extra;
  ASK_CASE("in both forms", bad, cudaGraphExecKernelNodeSetParams(exec, node, &six.params));
  cudaGraphNode_t more = nullptr;
  ASK_CASE("added in both forms", bad, cudaGraphAddKernelNode(&more, graph, nullptr, 0, &six.params));
  ASK_CASE("set in both forms", bad, cudaGraphKernelNodeSetParams(node, &six.params));
  launch(exec);
  EXPECT_EQ("5", cells(1));
}

// ---- copies -------------------------------------------------------------------------------------------------------

TEST_F(GraphNodeUpdate, CopiesKeepTheirKind) {
  for_each_two_kinds([&](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a;
    cudaGraphNode_t node = nullptr;
    MUST(cudaGraphAddMemcpyNode1D(&node, a, nullptr, 0, before.to, before.from, 8, before.kind));
    Exec exec(a);
    ASK_CASE(name, fits ? ok : bad,
             cudaGraphExecMemcpyNodeSetParams1D(exec, node, after.to, after.from, 8, after.kind));
  });
}

TEST_F(GraphNodeUpdate, CopiesThatCouldNotBeAddedAreRefused) {
  PinnedArray<int> pinned(8);
  const auto node = graph.copy(cell.get(), cell.get() + 8, 8);
  Exec exec(graph);
  int* at = cell.get();
  ASK_CASE("nothing", bad, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 0, cudaMemcpyDeviceToDevice));
  ASK_CASE("from null", bad, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, nullptr, 8, cudaMemcpyDeviceToDevice));
  ASK_CASE("to null", bad, cudaGraphExecMemcpyNodeSetParams1D(exec, node, nullptr, at, 8, cudaMemcpyDeviceToDevice));
  ASK_CASE("no kind", cudaErrorInvalidMemcpyDirection,
           cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 8, static_cast<cudaMemcpyKind>(9)));
  ASK_CASE("more bytes", ok, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 32, cudaMemcpyDefault));
  ASK_CASE("fewer bytes", ok, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 1, cudaMemcpyDefault));
  ASK_CASE("the kind that it has", bad,
           cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 8, cudaMemcpyDeviceToDevice));
}

TEST_F(GraphNodeUpdate, CopiesOfOtherShapes) {
  DeviceArray<char> space(4096);
  for_each_two_copies(space.get(), [&](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemcpyNode(&node, a, nullptr, 0, &before));
    Exec exec(a);
    ASK_CASE(name, fits ? ok : bad, cudaGraphExecMemcpyNodeSetParams(exec, node, &after));
  });
  for (const auto& before : copies_in(space.get())) {
    Graph a;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemcpyNode(&node, a, nullptr, 0, &before.params));
    Exec exec(a);
    ASK_CASE(
        std::string(before.name) + ", then a 1D copy", flat(before.params) ? ok : bad,
        cudaGraphExecMemcpyNodeSetParams1D(exec, node, space.get() + 1024, space.get(), 32, cudaMemcpyDeviceToDevice));
  }
}

TEST_F(GraphNodeUpdate, CopiesWithSymbols) {
  PinnedArray<int> pinned(8);
  for (int i = 0; i < 8; ++i) pinned[i] = i + 1;
  cudaGraphNode_t to = nullptr, from = nullptr;
  MUST(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  MUST(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, cell.get(), variable, 16, 0, cudaMemcpyDeviceToDevice));
  Exec exec(graph);
  launch(exec);
  EXPECT_EQ("1 0 0 0", cells(4));
  ASK(ok, cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get() + 4, 8, 4, cudaMemcpyHostToDevice));
  launch(exec);
  EXPECT_EQ("1 5 6 0", cells(4));
  ASK(ok,
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, cell.get() + 4, variable, 8, 4, cudaMemcpyDeviceToDevice));
  launch(exec);
  EXPECT_EQ("1 5 6 0 5 6", cells(6));
  ASK_CASE("past the end", bad,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 16, 8, cudaMemcpyHostToDevice));
  ASK_CASE("nothing", bad,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 0, 0, cudaMemcpyHostToDevice));
  ASK_CASE("from the variable to another", ok,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, from, constants, cell.get(), 4, 0, cudaMemcpyDeviceToDevice));
  ASK_CASE(
      "and back", ok,
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, cell.get() + 4, variable, 8, 4, cudaMemcpyDeviceToDevice));
  ASK_CASE("no symbol", cudaErrorInvalidSymbol,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, &pinned, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE(
      "a constant for a variable", ok,
      cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, constants, pinned.get() + 2, 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("plain memory for a symbol", ok,
           cudaGraphExecMemcpyNodeSetParams1D(exec, to, cell.get() + 6, pinned.get(), 4, cudaMemcpyHostToDevice));
  launch(exec);
  EXPECT_EQ("1 5 6 0 5 6 1", cells(7));
  ASK_CASE("a symbol for plain memory", ok,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("by default", bad,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 4, 0, cudaMemcpyDefault));
  Graph by_default;
  MUST(cudaGraphAddMemcpyNodeToSymbol(&to, by_default, nullptr, 0, variable, pinned.get(), 4, 0, cudaMemcpyDefault));
  Exec default_exec(by_default);
  ASK_CASE(
      "host to device for the default", bad,
      cudaGraphExecMemcpyNodeSetParamsToSymbol(default_exec, to, variable, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("plain memory by default", ok,
           cudaGraphExecMemcpyNodeSetParams1D(default_exec, to, cell.get(), pinned.get(), 4, cudaMemcpyDefault));
  ASK_CASE(
      "another way by default", ok,
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(default_exec, to, pinned.get(), variable, 4, 0, cudaMemcpyDefault));
}

// ---- sets ---------------------------------------------------------------------------------------------------------

TEST_F(GraphNodeUpdate, SetsOfOtherShapesAndPlaces) {
  for_each_two_sets([&](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemsetNode(&node, a, nullptr, 0, &before));
    Exec exec(a);
    ASK_CASE(name, fits ? ok : bad, cudaGraphExecMemsetNodeSetParams(exec, node, &after));
  });
}

TEST_F(GraphNodeUpdate, SetsTakeTheirNewValues) {
  const auto node = graph.set(cell.get(), 1, 4);
  Exec exec(graph);
  const auto params = memset_params(cell.get() + 1, 3, 1, 4);
  ASK(ok, cudaGraphExecMemsetNodeSetParams(exec, node, &params));
  launch(exec);
  EXPECT_EQ("0 50529027", cells(2));
  auto wrong = params;
  wrong.elementSize = 3;
  ASK_CASE("elements of 3 bytes", bad, cudaGraphExecMemsetNodeSetParams(exec, node, &wrong));
  wrong = params;
  wrong.width = 0;
  ASK_CASE("nothing", bad, cudaGraphExecMemsetNodeSetParams(exec, node, &wrong));
  wrong = params;
  wrong.dst = nullptr;
  ASK_CASE("null", bad, cudaGraphExecMemsetNodeSetParams(exec, node, &wrong));
}

// ---- the others ---------------------------------------------------------------------------------------------------

TEST_F(GraphNodeUpdate, HostFunctions) {
  std::atomic<int> first{0}, second{0};
  const auto node = graph.host(count_call, &first);
  Exec exec(graph);
  cudaHostNodeParams params{};
  params.fn = count_call;
  params.userData = &second;
  ASK(ok, cudaGraphExecHostNodeSetParams(exec, node, &params));
  launch(exec);
  EXPECT_EQ(0, first);
  EXPECT_EQ(1, second);
  params.fn = nullptr;
  ASK_CASE("no function", bad, cudaGraphExecHostNodeSetParams(exec, node, &params));
}

TEST_F(GraphNodeUpdate, Events) {
  Event one, two, untimed(cudaEventDisableTiming);
  const auto record = graph.record(one);
  const auto wait = graph.wait(one, {record});
  Exec exec(graph);
  ASK(ok, cudaGraphExecEventRecordNodeSetEvent(exec, record, two));
  ASK(ok, cudaGraphExecEventWaitNodeSetEvent(exec, wait, two));
  launch(exec);
  EXPECT_EQ(cudaSuccess, cudaEventQuery(two));
  ASK_CASE("record no event", bad, cudaGraphExecEventRecordNodeSetEvent(exec, record, nullptr));
  ASK_CASE("wait for no event", bad, cudaGraphExecEventWaitNodeSetEvent(exec, wait, nullptr));
  ASK_CASE("an event without time", ok, cudaGraphExecEventRecordNodeSetEvent(exec, record, untimed));
  launch(exec);
}

TEST_F(GraphNodeUpdate, ChildGraphs) {
  auto chain = [&](Graph& g, int value, int kernels) {
    Nodes last;
    for (int i = 0; i < kernels; ++i) last = {g.store(cell.get() + i, value + i, last)};
  };
  Graph a, b, longer, other_type, forked;
  chain(a, 1, 3), chain(b, 11, 3), chain(longer, 21, 4);
  other_type.set(cell.get(), 1, 4, {other_type.store(cell.get(), 1, {other_type.store(cell.get(), 1)})});
  const auto root = forked.store(cell.get(), 31);
  forked.store(cell.get() + 1, 32, {root}), forked.store(cell.get() + 2, 33, {root});
  const auto node = graph.child(a);
  Exec exec(graph);
  ASK(ok, cudaGraphExecChildGraphNodeSetParams(exec, node, b));
  launch(exec);
  EXPECT_EQ("11 12 13", cells(3));
  ASK_CASE("one node more", cudaErrorGraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(exec, node, longer));
  ASK_CASE("another type", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, node, other_type));
  ASK_CASE("another topology", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, node, forked));
  ASK_CASE("no graph", bad, cudaGraphExecChildGraphNodeSetParams(exec, node, nullptr));
  launch(exec);
  EXPECT_EQ("11 12 13", cells(3));
}

TEST_F(GraphNodeUpdate, ChildGraphsWithMemory) {
  auto fill = [&](cudaGraph_t g) {
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 4096;
    cudaGraphNode_t made = nullptr, set = nullptr, gone = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&made, g, nullptr, 0, &params));
    const auto value = memset_params(params.dptr, 1, 1, 64);
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&set, g, &made, 1, &value));
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&gone, g, &set, 1, params.dptr));
  };
  Graph inner, same, plain;
  fill(inner), fill(same);
  plain.empty({plain.empty({plain.empty()})});
  auto params = moved(inner);
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  const cudaGraph_t embedded = inner.release();
  const auto other = graph.child(plain, {node});
  Exec exec(graph);
  ASK_CASE("from another graph with memory", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, node, same));
  ASK_CASE("from one without", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, node, plain));
  ASK_CASE("memory for a child without", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, other, same));
  ASK_CASE("from the child itself", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, node, embedded));
  ASK_CASE("beside it", ok, cudaGraphExecChildGraphNodeSetParams(exec, other, plain));
  launch(exec);
}

TEST_F(GraphNodeUpdate, ByOneCallForEveryType) {
  int* at = cell.get();
  std::atomic<int> first{0}, second{0};
  Event one, two;
  Graph inner, inner_too;
  inner.store(at + 4, 1), inner_too.store(at + 4, 2);
  const auto kernel = graph.store(at, 1);
  const auto copy = graph.copy(at + 1, at, 4, {kernel});
  const auto set = graph.set(at + 2, 1, 4, {copy});
  const auto host = graph.host(count_call, &first, {set});
  const auto record = graph.record(one, {host});
  const auto wait = graph.wait(one, {record});
  const auto child = graph.child(inner, {wait});
  const auto empty = graph.empty({child});
  Exec exec(graph);
  auto params_of = [](cudaGraphNodeType type) {
    cudaGraphNodeParams params{};
    params.type = type;
    return params;
  };
  KernelParams two_stored(store, at, 2);
  auto p = params_of(cudaGraphNodeTypeKernel);
  std::memcpy(&p.kernel, &two_stored.params, sizeof two_stored.params);
  ASK_CASE("kernel", ok, cudaGraphExecNodeSetParams(exec, kernel, &p));
  ASK_CASE("kernel for the memcpy", bad, cudaGraphExecNodeSetParams(exec, copy, &p));
  p.reserved2 = 1;
  ASK_CASE("reserved bytes", bad, cudaGraphExecNodeSetParams(exec, kernel, &p));
  p = params_of(cudaGraphNodeTypeMemcpy);
  p.memcpy.copyParams = copy_params(at + 3, at, 4, cudaMemcpyDefault);
  ASK_CASE("memcpy", ok, cudaGraphExecNodeSetParams(exec, copy, &p));
  p.memcpy.flags = 1;
  ASK_CASE("memcpy with flags", bad, cudaGraphExecNodeSetParams(exec, copy, &p));
  p.memcpy.flags = 0, p.memcpy.reserved[0] = 1;
  ASK_CASE("memcpy with reserved fields", bad, cudaGraphExecNodeSetParams(exec, copy, &p));
  p = params_of(cudaGraphNodeTypeMemset);
  const auto new_set = memset_params(at + 2, 2, 1, 4);
  std::memcpy(&p.memset, &new_set, sizeof new_set);
  ASK_CASE("memset", ok, cudaGraphExecNodeSetParams(exec, set, &p));
  p = params_of(cudaGraphNodeTypeHost);
  p.host.fn = count_call;
  p.host.userData = &second;
  ASK_CASE("host", ok, cudaGraphExecNodeSetParams(exec, host, &p));
  p = params_of(cudaGraphNodeTypeEventRecord);
  p.eventRecord.event = two;
  ASK_CASE("record", ok, cudaGraphExecNodeSetParams(exec, record, &p));
  p = params_of(cudaGraphNodeTypeWaitEvent);
  p.eventWait.event = two;
  ASK_CASE("wait", ok, cudaGraphExecNodeSetParams(exec, wait, &p));
  p = params_of(cudaGraphNodeTypeGraph);
  p.graph.graph = inner_too;
  ASK_CASE("child", ok, cudaGraphExecNodeSetParams(exec, child, &p));
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  ASK_CASE("child, moved", ok, cudaGraphExecNodeSetParams(exec, child, &p));
  p.graph.graph = nullptr;
  ASK_CASE("no child", bad, cudaGraphExecNodeSetParams(exec, child, &p));
  p = params_of(cudaGraphNodeTypeEmpty);
  ASK_CASE("empty", ok, cudaGraphExecNodeSetParams(exec, empty, &p));
  ASK_CASE("empty for the kernel", bad, cudaGraphExecNodeSetParams(exec, kernel, &p));
  for (auto type : {cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree, cudaGraphNodeTypeConditional}) {
    p = params_of(type);
    ASK_CASE("type " + std::to_string(type) + " for the kernel", bad, cudaGraphExecNodeSetParams(exec, kernel, &p));
  }
  launch(exec);
  EXPECT_EQ("2 0 33686018 2 2", cells(5));
  EXPECT_EQ(0, first);
  EXPECT_EQ(1, second);
}

// ---- launches that are queued -------------------------------------------------------------------------------------

TEST_F(GraphNodeUpdate, AQueuedLaunchKeepsItsValues) {
  int* at = cell.get();
  std::atomic<int> first{0}, second{0};
  const auto kernel = graph.store(at, 1);
  const auto set = graph.set(at + 1, 1, 4, {kernel});
  const auto copy = graph.copy(at + 2, at, 4, {set});
  const auto host = graph.host(count_call, &first, {copy});
  Exec exec(graph);
  launch(exec);
  Stream stream(cudaStreamNonBlocking);
  MUST(cudaMemset(at, 0, cell.bytes()));
  MUST(cudaDeviceSynchronize());
  Gate gate;
  gate.close(stream);
  MUST(cudaGraphLaunch(exec, stream));
  KernelParams next(store, at + 4, 2);
  const auto next_set = memset_params(at + 5, 2, 1, 4);
  cudaHostNodeParams next_host{};
  next_host.fn = count_call;
  next_host.userData = &second;
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, kernel, &next.params));
  ASK(ok, cudaGraphExecMemsetNodeSetParams(exec, set, &next_set));
  ASK(ok, cudaGraphExecMemcpyNodeSetParams1D(exec, copy, at + 6, at, 4, cudaMemcpyDefault));
  ASK(ok, cudaGraphExecHostNodeSetParams(exec, host, &next_host));
  MUST(cudaGraphLaunch(exec, stream));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("1 16843009 1 0 2 33686018 1", cells(7));
  EXPECT_EQ(2, first);
  EXPECT_EQ(1, second);
}

TEST_F(GraphNodeUpdate, ManyChangesAndLaunchesInFlight) {
  const auto node = graph.kernel({}, store_sum, cell.get(), 0, 0, 0);
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking);
  for (int i = 0; i < 200; ++i) {
    KernelParams next(store_sum, cell.get() + i % 16, i, 1, 0);
    MUST(cudaGraphExecKernelNodeSetParams(exec, node, &next.params));
    MUST(cudaGraphLaunch(exec, stream));
  }
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("193 194 195 196 197 198 199 200 185 186 187 188 189 190 191 192", cells(16));
}

}  // namespace
