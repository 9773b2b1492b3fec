// Disabling and enabling nodes of an executable graph.
#include "graph/update/update_support.h"

namespace {

class GraphEnable : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
  unsigned enabled(cudaGraphExec_t exec, cudaGraphNode_t node) {
    unsigned answer = 77;
    EXPECT_EQ(cudaSuccess, cudaGraphNodeGetEnabled(exec, node, &answer));
    return answer;
  }
};

TEST_F(GraphEnable, OnlyKernelsCopiesAndSetsCanBeDisabled) {
  int* at = cell.get();
  std::atomic<int> calls{0};
  Event event;
  Graph inner;
  inner.empty();
  const struct {
    const char* name;
    cudaGraphNode_t node;
    bool can;
  } nodes[] = {{"kernel", graph.store(at, 1), true},   {"memcpy", graph.copy(at, at + 4, 4), true},
               {"memset", graph.set(at, 1, 4), true},  {"host", graph.host(count_call, &calls), false},
               {"empty", graph.empty(), false},        {"child", graph.child(inner), false},
               {"record", graph.record(event), false}, {"wait", graph.wait(event), false}};
  Exec exec(graph);
  for (const auto& row : nodes) {
    unsigned answer = 77;
    const std::string name(row.name);
    ASK_CASE(name + ": asked", row.can ? ok : bad, cudaGraphNodeGetEnabled(exec, row.node, &answer));
    ASK_FACT(name + ": answer", row.can ? 1u : 77u, answer);
    ASK_CASE(name + ": disabled", row.can ? ok : bad, cudaGraphNodeSetEnabled(exec, row.node, 0));
    ASK_CASE(name + ": enabled", row.can ? ok : bad, cudaGraphNodeSetEnabled(exec, row.node, 1));
  }
}

TEST_F(GraphEnable, ArgumentsAreChecked) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  Graph other;
  const auto foreign = other.store(cell.get(), 1);
  unsigned answer = 0;
  ASK(bad, cudaGraphNodeSetEnabled(nullptr, node, 1));
  ASK(bad, cudaGraphNodeSetEnabled(exec, nullptr, 1));
  ASK(bad, cudaGraphNodeSetEnabled(exec, foreign, 1));
  ASK(bad, cudaGraphNodeGetEnabled(nullptr, node, &answer));
  ASK(bad, cudaGraphNodeGetEnabled(exec, nullptr, &answer));
  ASK(bad, cudaGraphNodeGetEnabled(exec, node, nullptr));
  ASK(bad, cudaGraphNodeGetEnabled(exec, foreign, &answer));
}

TEST_F(GraphEnable, ADisabledNodeDoesNothingButItsDependentsRun) {
  int* at = cell.get();
  const auto kernel = graph.store(at, 1);
  const auto set = graph.set(at + 1, 1, 4, {kernel});
  const auto copy = graph.copy(at + 2, at, 4, {set});
  graph.store(at + 3, 1, {copy});
  Exec exec(graph);
  for (auto node : {kernel, set, copy}) ASK(ok, cudaGraphNodeSetEnabled(exec, node, 0));
  for (auto node : {kernel, set, copy}) ASK_VALUE(0u, enabled(exec, node));
  launch(exec);
  EXPECT_EQ("0 0 0 1", cells(4));
  ASK(ok, cudaGraphNodeSetEnabled(exec, kernel, 7));
  ASK_VALUE(1u, enabled(exec, kernel));
  launch(exec);
  EXPECT_EQ("1 0 0 1", cells(4));
  ASK(ok, cudaGraphNodeSetEnabled(exec, copy, 1));
  launch(exec);
  EXPECT_EQ("1 0 1 1", cells(4));
}

TEST_F(GraphEnable, OrderHoldsThroughADisabledNode) {
  int* at = cell.get();
  const auto first = graph.kernel({}, take_turn, at, at + 1);
  const auto middle = graph.store(at + 4, 1, {first});
  const auto last = graph.kernel({middle}, take_turn, at, at + 2);
  (void)last;
  Exec exec(graph);
  MUST(cudaGraphNodeSetEnabled(exec, middle, 0));
  for (int i = 0; i < 20; ++i) {
    launch(exec);
    const auto values = cell.read();
    EXPECT_EQ(values[1] + 1, values[2]);
    EXPECT_EQ(0, values[4]);
  }
}

TEST_F(GraphEnable, TheStateOutlivesNewParameters) {
  const auto node = graph.store(cell.get(), 1);
  const auto set = graph.set(cell.get() + 1, 1, 4, {node});
  const auto copy = graph.copy(cell.get() + 2, cell.get() + 4, 4, {set});
  Exec exec(graph);
  for (auto each : {node, set, copy}) MUST(cudaGraphNodeSetEnabled(exec, each, 0));
  KernelParams two(store, cell.get(), 2);
  const auto new_set = memset_params(cell.get() + 1, 2, 1, 4);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  ASK(ok, cudaGraphExecMemsetNodeSetParams(exec, set, &new_set));
  ASK(ok, cudaGraphExecMemcpyNodeSetParams1D(exec, copy, cell.get() + 2, cell.get() + 5, 4, cudaMemcpyDefault));
  ASK_FACT("kernel", 0u, enabled(exec, node));
  ASK_FACT("set", 0u, enabled(exec, set));
  ASK_FACT("copy", 0u, enabled(exec, copy));
  launch(exec);
  ASK_FACT("cells", std::string("0 0 0"), cells(3));
  for (auto each : {node, set, copy}) MUST(cudaGraphNodeSetEnabled(exec, each, 1));
  launch(exec);
  EXPECT_EQ("2 33686018 0", cells(3)) << "with the parameters set meanwhile";
}

TEST_F(GraphEnable, NodesInsideChildGraphs) {
  Graph inner;
  inner.store(cell.get(), 1);
  inner.store(cell.get() + 1, 1);
  const auto child = graph.child(inner);
  cudaGraph_t body = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &body));
  Exec exec(graph);
  const auto nodes = nodes_of(body);
  ASK(ok, cudaGraphNodeSetEnabled(exec, nodes.at(0), 0));
  launch(exec);
  EXPECT_EQ("0 1", cells(2));
  Graph second;
  second.store(cell.get() + 2, 2);
  second.store(cell.get() + 3, 2);
  ASK(ok, cudaGraphExecChildGraphNodeSetParams(exec, child, second));
  ASK_FACT("after the child was set", 0u, enabled(exec, nodes.at(0)));
  launch(exec);
  ASK_FACT("cells", std::string("0 1 0 2"), cells(4));
}

TEST_F(GraphEnable, AQueuedLaunchRunsWhatWasEnabled) {
  const auto node = graph.kernel({}, add_one, cell.get());
  Exec exec(graph);
  launch(exec);
  Stream stream(cudaStreamNonBlocking);
  Gate gate;
  gate.close(stream);
  MUST(cudaGraphLaunch(exec, stream));
  ASK(ok, cudaGraphNodeSetEnabled(exec, node, 0));
  MUST(cudaGraphLaunch(exec, stream));
  ASK(ok, cudaGraphNodeSetEnabled(exec, node, 1));
  MUST(cudaGraphLaunch(exec, stream));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("3", cells(1));
}

TEST_F(GraphEnable, OneExecutableGraphOnly) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph), other(graph);
  MUST(cudaGraphNodeSetEnabled(exec, node, 0));
  EXPECT_EQ(1u, enabled(other, node));
  Exec later(graph);
  EXPECT_EQ(1u, enabled(later, node));
}

TEST_F(GraphEnable, NodesWithEarlyEdges) {
  const auto a = graph.store(cell.get(), 1), b = graph.store(cell.get() + 1, 1), c = graph.store(cell.get() + 2, 1);
  MUST(graph.edge(a, b, &programmatic));
  MUST(graph.edge(b, c, &programmatic));
  Exec exec(graph);
  ASK(ok, cudaGraphNodeSetEnabled(exec, b, 0));
  launch(exec);
  EXPECT_EQ("1 0 1", cells(3));
}

}  // namespace
