// Child graphs: copied when they are added, or moved.
#include "graph/graph_support.h"

namespace {

class GraphChildNode : public Graphs {
 protected:
  DeviceArray<int> cell{4};
  static cudaGraph_t embedded_in(cudaGraphNode_t node) {
    cudaGraph_t embedded = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(node, &embedded));
    return embedded;
  }
};

TEST_F(GraphChildNode, IsACopyOfTheGraphAsItWas) {
  Graph inner;
  const auto inside = inner.store(cell.get(), 1);
  const auto node = graph.child(inner);
  const auto embedded = embedded_in(node);
  EXPECT_NE(static_cast<cudaGraph_t>(inner), embedded);
  EXPECT_EQ(1u, nodes_of(embedded).size());
  EXPECT_NE(inside, nodes_of(embedded)[0]);
  inner.store(cell.get() + 1, 2);
  int* where = cell.get();
  int value = 9;
  void* arguments[] = {&where, &value};
  const auto params = kernel_params(store, arguments);
  MUST(cudaGraphKernelNodeSetParams(inside, &params));
  EXPECT_EQ(1u, nodes_of(embedded).size());
  MUST(cudaGraphDestroy(inner.release()));
  run(graph);
  EXPECT_EQ((std::vector<int>{1, 0, 0, 0}), cell.read());
}

TEST_F(GraphChildNode, TheEmbeddedGraphCanBeChanged) {
  Graph inner;
  inner.store(cell.get(), 1);
  const auto node = graph.child(inner);
  const auto embedded = embedded_in(node);
  EXPECT_EQ(embedded, embedded_in(node)) << "the same handle each time";
  int* where = cell.get() + 1;
  int value = 2;
  void* arguments[] = {&where, &value};
  const auto params = kernel_params(store, arguments);
  cudaGraphNode_t added = nullptr;
  ASK(cudaSuccess, cudaGraphAddKernelNode(&added, embedded, nullptr, 0, &params));
  where = cell.get() + 2;
  ASK(cudaSuccess, cudaGraphKernelNodeSetParams(nodes_of(embedded)[0], &params));
  run(graph);
  EXPECT_EQ((std::vector<int>{0, 2, 2, 0}), cell.read());
  ASK_CASE("destroying a node of it", cudaSuccess, cudaGraphDestroyNode(nodes_of(embedded)[0]));
  cudaGraphExec_t exec = nullptr;
  ASK_CASE("instantiating it by itself", cudaErrorNotSupported, cudaGraphInstantiate(&exec, embedded, 0));
  if (exec) MUST(cudaGraphExecDestroy(exec));
  cudaGraph_t copy = nullptr;
  ASK_CASE("cloning it", cudaSuccess, cudaGraphClone(&copy, embedded));
  if (copy) MUST(cudaGraphDestroy(copy));
  Graph parent2;
  cudaGraphNode_t again = nullptr;
  ASK_CASE("adding it as a child elsewhere", cudaErrorNotSupported,
           cudaGraphAddChildGraphNode(&again, parent2, nullptr, 0, embedded));
}

TEST_F(GraphChildNode, RunsAsOneNode) {
  // before -> child{two parallel, one joining} -> after
  DeviceArray<int> counter(1), turns(5);
  Graph inner;
  const auto a = inner.kernel({}, take_turn, counter.get(), turns.get() + 1);
  const auto b = inner.kernel({}, take_turn, counter.get(), turns.get() + 2);
  inner.kernel({a, b}, take_turn, counter.get(), turns.get() + 3);
  const auto before = graph.kernel({}, take_turn, counter.get(), turns.get());
  const auto child = graph.child(inner, {before});
  graph.kernel({child}, take_turn, counter.get(), turns.get() + 4);
  run(graph);
  const auto order = turns.read();
  EXPECT_EQ(0, order[0]);
  EXPECT_EQ(3, order[3]);
  EXPECT_EQ(4, order[4]);
  EXPECT_EQ(3, order[1] + order[2]);
}

TEST_F(GraphChildNode, MayBeEmptyAndStillOrders) {
  Graph inner;
  const auto before = graph.store(cell.get(), 1);
  const auto child = graph.child(inner, {before});
  graph.copy(cell.get() + 1, cell.get(), 4, {child});
  run(graph);
  EXPECT_EQ(1, cell.read()[1]);
}

TEST_F(GraphChildNode, NestsDeeply) {
  Graph innermost;
  innermost.kernel({}, add_one, cell.get());
  cudaGraph_t current = innermost;
  std::vector<std::unique_ptr<Graph>> levels;
  for (int i = 0; i < 20; ++i) {
    levels.push_back(std::make_unique<Graph>());
    const auto first = levels.back()->child(current);
    levels.back()->kernel({first}, add_one, cell.get());
    current = *levels.back();
  }
  run(current);
  EXPECT_EQ(21, cell.read()[0]);
}

TEST_F(GraphChildNode, ItsParametersAreTheGraph) {
  Graph inner;
  inner.empty();
  const auto node = graph.child(inner);
  cudaGraph_t told = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphChildGraphNodeGetGraph(nullptr, &told));
  ASK(cudaErrorInvalidValue, cudaGraphChildGraphNodeGetGraph(node, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphChildGraphNodeGetGraph(graph.empty(), &told));
}

TEST_F(GraphChildNode, AGraphCannotBeAChildOfItself) {
  CRASHES_ON_NVIDIA("a graph added to itself");
  graph.kernel({}, add_one, cell.get());
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, graph));
  EXPECT_EQ(1u, nodes_of(graph).size());
  auto params = moved(graph);
  ASK(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  Graph inner;
  const auto child = inner.child(graph);
  params = moved(inner);
  ASK(cudaErrorInvalidValue, cudaGraphAddNode(&node, embedded_in(child), nullptr, nullptr, 0, &params));
  run(graph);
  EXPECT_EQ(1, cell.read()[0]);
}

TEST_F(GraphChildNode, TheEmbeddedGraphCannotBeDestroyed) {
  Graph inner;
  inner.kernel({}, add_one, cell.get());
  const auto node = graph.child(inner);
  ASK_CASE("destroying the embedded graph of a copied child", cudaErrorInvalidValue,
           cudaGraphDestroy(embedded_in(node)));
}

TEST_F(GraphChildNode, CanBeMovedIntoItsParent) {
  Graph inner;
  const auto inside = inner.store(cell.get(), 6);
  auto params = moved(inner);
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  const auto child = inner.release();
  ASK_FACT("the embedded graph is the one given", true, embedded_in(node) == child);
  ASK_FACT("its node is the one given", true, nodes_of(embedded_in(node)).at(0) == inside);
  run(graph);
  EXPECT_EQ(6, cell.read()[0]);
  // It belongs to its parent now.
  cudaGraphExec_t exec = nullptr;
  ASK_CASE("instantiating it", cudaErrorNotSupported, cudaGraphInstantiate(&exec, child, 0));
  if (exec) (void)cudaGraphExecDestroy(exec);
  ASK_CASE("destroying it", cudaErrorInvalidValue, cudaGraphDestroy(child));
  Graph other;
  cudaGraphNode_t again = nullptr;
  ASK_CASE("copying it into another", cudaErrorNotSupported,
           cudaGraphAddChildGraphNode(&again, other, nullptr, 0, child));
  params = moved(child);
  ASK_CASE("moving it into another", cudaErrorNotSupported,
           cudaGraphAddNode(&again, other, nullptr, nullptr, 0, &params));
  cudaGraph_t copy = nullptr;
  ASK_CASE("cloning it", cudaSuccess, cudaGraphClone(&copy, child));
  if (copy) (void)cudaGraphDestroy(copy);
  ASK_CASE("cloning its parent", cudaSuccess, cudaGraphClone(&copy, graph));
  cudaGraphNode_t added = nullptr;
  ASK_CASE("adding a node to it", cudaSuccess, cudaGraphAddEmptyNode(&added, child, nullptr, 0));
  Exec parent(graph);
  cudaGraphExecUpdateResultInfo info{};
  TELL_ERROR("updating with it", cudaGraphExecUpdate(parent, child, &info));
}

TEST_F(GraphChildNode, UnknownOwnershipIsTaken) {
  cudaGraphNode_t node = nullptr;
  Graph inner;
  auto params = moved(inner);
  params.graph.ownership = static_cast<cudaGraphChildGraphNodeOwnership>(7);
  ASK_CASE("ownership 7", cudaSuccess, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  params.graph.ownership = static_cast<cudaGraphChildGraphNodeOwnership>(-1);
  ASK_CASE("ownership -1", cudaSuccess, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
}

TEST_F(GraphChildNode, DestroyingTheNodeDestroysTheMovedGraph) {
  struct Flag {
    static void CUDART_CB set(void* data) { *static_cast<std::atomic<bool>*>(data) = true; }
  };
  static std::atomic<bool> gone;
  gone = false;
  Graph inner;
  inner.empty();
  cudaUserObject_t object = nullptr;
  MUST(cudaUserObjectCreate(&object, &gone, Flag::set, 1, cudaUserObjectNoDestructorSync));
  MUST(cudaGraphRetainUserObject(inner, object, 1, cudaGraphUserObjectMove));
  auto params = moved(inner);
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  (void)inner.release();
  EXPECT_FALSE(gone);
  const auto answer = cudaGraphDestroyNode(node);
  ASK_CASE("destroying the node", cudaSuccess, answer);
  if (answer == cudaSuccess) EXPECT_TRUE(eventually([&] { return gone.load(); }));
}

}  // namespace
