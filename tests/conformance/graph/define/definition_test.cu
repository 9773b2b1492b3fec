// Creating, destroying and querying graphs and nodes.
#include "graph/graph_support.h"

namespace {

class GraphDefinition : public Graphs {};

TEST_F(GraphDefinition, CreationTakesNoFlags) {
  cudaGraph_t made = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphCreate(nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaGraphCreate(&made, 1));
  ASK(cudaErrorInvalidValue, cudaGraphCreate(&made, ~0u));
  EXPECT_EQ(nullptr, made);
}

TEST_F(GraphDefinition, ANewGraphIsEmpty) {
  EXPECT_TRUE(nodes_of(graph).empty());
  EXPECT_TRUE(roots_of(graph).empty());
  EXPECT_TRUE(edges_of(graph).empty());
}

TEST_F(GraphDefinition, NoGraphCannotBeDestroyed) {
  ASK(cudaErrorInvalidValue, cudaGraphDestroy(nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphDestroyNode(nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphExecDestroy(nullptr));
}

TEST_F(GraphDefinition, EveryNodeTellsItsType) {
  DeviceArray<int> data(4);
  Graph inner;
  inner.empty();
  Event event;
  std::atomic<int> calls{0};
  const std::pair<cudaGraphNode_t, cudaGraphNodeType> rows[] = {
      {graph.kernel({}, nothing), cudaGraphNodeTypeKernel},
      {graph.copy(data.get(), data.get() + 2, 4), cudaGraphNodeTypeMemcpy},
      {graph.set(data.get(), 0, 4), cudaGraphNodeTypeMemset},
      {graph.host(count_call, &calls), cudaGraphNodeTypeHost},
      {graph.child(inner), cudaGraphNodeTypeGraph},
      {graph.empty(), cudaGraphNodeTypeEmpty},
      {graph.wait(event), cudaGraphNodeTypeWaitEvent},
      {graph.record(event), cudaGraphNodeTypeEventRecord},
  };
  for (const auto& row : rows) {
    cudaGraphNodeType type = cudaGraphNodeTypeCount;
    MUST(cudaGraphNodeGetType(row.first, &type));
    EXPECT_EQ(row.second, type);
  }
  EXPECT_EQ(8u, nodes_of(graph).size());
}

TEST_F(GraphDefinition, TypeQueryNeedsNodeAndPlace) {
  cudaGraphNodeType type{};
  ASK(cudaErrorInvalidValue, cudaGraphNodeGetType(nullptr, &type));
  ASK(cudaErrorInvalidValue, cudaGraphNodeGetType(graph.empty(), nullptr));
}

TEST_F(GraphDefinition, EveryAddCallNeedsGraphAndPlace) {
  DeviceArray<int> data(4);
  Graph inner;
  Event event;
  std::atomic<int> calls{0};
  cudaGraphNode_t node = nullptr;
  const auto kernel = kernel_params(nothing, nullptr);
  const auto set = memset_params(data.get(), 0, 1, 4);
  cudaHostNodeParams host{count_call, &calls};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(data.get(), 4, 4, 1);
  copy.dstPtr = make_cudaPitchedPtr(data.get() + 2, 4, 4, 1);
  copy.extent = make_cudaExtent(4, 1, 1);
  copy.kind = cudaMemcpyDeviceToDevice;

  ASK(cudaErrorInvalidValue, cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaGraphAddKernelNode(nullptr, graph, nullptr, 0, &kernel));
  ASK(cudaErrorInvalidValue, cudaGraphAddKernelNode(&node, nullptr, nullptr, 0, &kernel));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemsetNode(nullptr, graph, nullptr, 0, &set));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&node, nullptr, nullptr, 0, &set));
  ASK(cudaErrorInvalidValue, cudaGraphAddHostNode(nullptr, graph, nullptr, 0, &host));
  ASK(cudaErrorInvalidValue, cudaGraphAddHostNode(&node, nullptr, nullptr, 0, &host));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(nullptr, graph, nullptr, 0, &copy));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemcpyNode(&node, nullptr, nullptr, 0, &copy));
  ASK(cudaErrorInvalidValue,
      cudaGraphAddMemcpyNode1D(nullptr, graph, nullptr, 0, data.get(), data.get() + 2, 4, cudaMemcpyDefault));
  ASK(cudaErrorInvalidValue,
      cudaGraphAddMemcpyNode1D(&node, nullptr, nullptr, 0, data.get(), data.get() + 2, 4, cudaMemcpyDefault));
  ASK(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(nullptr, graph, nullptr, 0, inner));
  ASK(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&node, nullptr, nullptr, 0, inner));
  ASK(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphAddEventRecordNode(nullptr, graph, nullptr, 0, event));
  ASK(cudaErrorInvalidValue, cudaGraphAddEventRecordNode(&node, nullptr, nullptr, 0, event));
  ASK(cudaErrorInvalidValue, cudaGraphAddEventWaitNode(nullptr, graph, nullptr, 0, event));
  ASK(cudaErrorInvalidValue, cudaGraphAddEventWaitNode(&node, nullptr, nullptr, 0, event));
  EXPECT_EQ(nullptr, node);
  EXPECT_TRUE(nodes_of(graph).empty());
}

TEST_F(GraphDefinition, DependenciesGivenWithTheNodeAreChecked) {
  const auto a = graph.empty();
  const auto b = graph.empty();
  Graph other;
  const auto foreign = other.empty();
  cudaGraphNode_t node = nullptr;
  const cudaGraphNode_t twice[] = {a, a}, with_null[] = {a, nullptr}, with_foreign[] = {a, foreign};
  ASK(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, graph, nullptr, 1));
  ASK(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, graph, twice, 2));
  ASK(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, graph, with_null, 2));
  ASK(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, graph, with_foreign, 2));
  EXPECT_EQ(2u, nodes_of(graph).size()) << "a refused node stayed in the graph";
  EXPECT_TRUE(edges_of(graph).empty());
  EXPECT_TRUE(dependents_of(a).empty());
  // With a count of zero the array is ignored.
  ASK(cudaSuccess, cudaGraphAddEmptyNode(&node, graph, with_null, 0));
  (void)b;
}

TEST_F(GraphDefinition, RefusedNodesLeaveTheOutputAlone) {
  cudaGraphNode_t const before = graph.empty();
  cudaGraphNode_t node = before;
  (void)cudaGraphAddEmptyNode(&node, graph, nullptr, 1);
  ASK_FACT("output after a refused add is unchanged", true, node == before);
  cudaKernelNodeParams bad{};
  node = before;
  (void)cudaGraphAddKernelNode(&node, graph, nullptr, 0, &bad);
  ASK_FACT("output after a refused kernel add is unchanged", true, node == before);
}

TEST_F(GraphDefinition, DestroyingANodeTakesItsEdges) {
  const auto a = graph.empty(), b = graph.empty({a}), c = graph.empty({b}), d = graph.empty({a});
  MUST(cudaGraphDestroyNode(b));
  EXPECT_EQ((std::set<cudaGraphNode_t>{a, c, d}), as_set(nodes_of(graph)));
  EXPECT_EQ((std::set<Edge>{{a, d}}), as_set(edges_of(graph)));
  EXPECT_EQ((std::set<cudaGraphNode_t>{a, c}), as_set(roots_of(graph)));
  EXPECT_EQ((Nodes{d}), dependents_of(a));
  EXPECT_TRUE(dependencies_of(c).empty());
}

TEST_F(GraphDefinition, NodesAreListedInTheOrderOfTheirCreation) {
  Nodes made;
  for (int i = 0; i < 6; ++i) made.push_back(graph.empty());
  ASK_FACT("six nodes", std::string("0 1 2 3 4 5"), places(nodes_of(graph), made));
  ASK_FACT("six roots", std::string("5 4 3 2 1 0"), places(roots_of(graph), made));
  MUST(cudaGraphDestroyNode(made[2]));
  ASK_FACT("the third destroyed", std::string("0 1 3 4 5"), places(nodes_of(graph), made));
  made[2] = graph.empty();
  ASK_FACT("one added after", std::string("0 1 3 4 5 2"), places(nodes_of(graph), made));
  MUST(graph.edge(made[5], made[0]));
  MUST(graph.edge(made[4], made[1]));
  ASK_FACT("two edges against the order: nodes", std::string("0 1 3 4 5 2"), places(nodes_of(graph), made));
  ASK_FACT("two edges against the order: roots", std::string("2 5 4 3"), places(roots_of(graph), made));
  ASK_FACT("two edges against the order: edges", std::string("4>1 5>0"), edge_places(edges_of(graph), made));
}

TEST_F(GraphDefinition, EdgesAndNeighboursAreListedInAnOrder) {
  Nodes n;
  for (int i = 0; i < 5; ++i) n.push_back(graph.empty());
  n.push_back(graph.empty({n[3], n[1], n[2]}));
  for (int to : {4, 2, 3}) MUST(graph.edge(n[0], n[to]));
  ASK_FACT("dependencies given as 3 1 2", std::string("3 1 2"), places(dependencies_of(n[5]), n));
  ASK_FACT("dependents made as 4 2 3", std::string("4 2 3"), places(dependents_of(n[0]), n));
  ASK_FACT("edges made as 3>5 1>5 2>5 0>4 0>2 0>3", std::string("0>4 0>2 0>3 1>5 2>5 3>5"),
           edge_places(edges_of(graph), n));
  MUST(cudaGraphRemoveDependencies(graph, &n[0], &n[2], nullptr, 1));
  MUST(graph.edge(n[0], n[2]));
  ASK_FACT("dependents after 0>2 was removed and added again", std::string("4 3 2"), places(dependents_of(n[0]), n));
  ASK_FACT("edges after 0>2 was removed and added again", std::string("0>4 0>3 0>2 1>5 2>5 3>5"),
           edge_places(edges_of(graph), n));
}

}  // namespace
