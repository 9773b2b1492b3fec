// Updating one node of an executable graph: which node is meant, queued launches, host, event and child graph nodes.
#include "graph/update/update_shapes.h"

namespace {

class HazardGraphNodeUpdate : public GraphNodeUpdate {};

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
