// Clones.
#include "graph/graph_support.h"

namespace {

class GraphClone : public Graphs {
 protected:
  DeviceArray<int> cell{4};
  static cudaGraph_t clone_of(cudaGraph_t original) {
    cudaGraph_t clone = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphClone(&clone, original));
    return clone;
  }
  static cudaGraphNode_t found(cudaGraphNode_t original, cudaGraph_t clone) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphNodeFindInClone(&node, original, clone));
    return node;
  }
  static cudaError_t find(cudaGraphNode_t original, cudaGraph_t clone) {
    cudaGraphNode_t node = nullptr;
    return cudaGraphNodeFindInClone(&node, original, clone);
  }
};

TEST_F(GraphClone, HasTheSameNodesAndEdges) {
  const auto a = graph.store(cell.get(), 1), b = graph.store(cell.get(), 2, {a}), c = graph.empty({a, b});
  Graph clone(clone_of(graph));
  const auto a2 = found(a, clone), b2 = found(b, clone), c2 = found(c, clone);
  EXPECT_EQ((std::set<cudaGraphNode_t>{a2, b2, c2}), as_set(nodes_of(clone)));
  EXPECT_EQ((std::set<Edge>{{a2, b2}, {a2, c2}, {b2, c2}}), as_set(edges_of(clone)));
  EXPECT_NE(a, a2);
  cudaGraphNodeType type{};
  MUST(cudaGraphNodeGetType(b2, &type));
  EXPECT_EQ(cudaGraphNodeTypeKernel, type);
  ASK_FACT("order of nodes", std::string("0 1 2"), places(nodes_of(clone), {a2, b2, c2}));
}

TEST_F(GraphClone, LivesByItself) {
  const auto node = graph.store(cell.get(), 1);
  Graph clone(clone_of(graph));
  int* where = cell.get() + 1;
  int value = 2;
  void* arguments[] = {&where, &value};
  const auto params = kernel_params(store, arguments);
  MUST(cudaGraphKernelNodeSetParams(node, &params));
  MUST(cudaGraphDestroyNode(node));
  graph.store(cell.get() + 2, 3);
  run(clone);
  EXPECT_EQ((std::vector<int>{1, 0, 0, 0}), cell.read());
}

TEST_F(GraphClone, OutlivesItsOriginal) {
  auto* original = new Graph;
  original->store(cell.get(), 4);
  Graph clone(clone_of(*original));
  delete original;
  run(clone);
  EXPECT_EQ(4, cell.read()[0]);
}

TEST_F(GraphClone, FindsOnlyWhatWasCloned) {
  const auto a = graph.empty();
  Graph clone(clone_of(graph));
  const auto later = graph.empty();
  Graph other;
  const auto foreign = other.empty();
  ASK(cudaErrorInvalidValue, find(later, clone));
  ASK(cudaErrorInvalidValue, find(foreign, clone));
  ASK(cudaErrorInvalidValue, find(a, other));
  ASK_CASE("in the original itself", cudaErrorInvalidValue, find(a, graph));
  ASK_CASE("a clone's node in the original", cudaErrorInvalidValue, find(found(a, clone), graph));
  ASK_CASE("a clone's node in the clone", cudaErrorInvalidValue, find(found(a, clone), clone));
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphNodeFindInClone(nullptr, a, clone));
  ASK(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&node, nullptr, clone));
  ASK(cudaErrorInvalidValue, cudaGraphNodeFindInClone(&node, a, nullptr));
}

TEST_F(GraphClone, ANodeDestroyedInTheCloneIsNotFound) {
  const auto a = graph.empty(), b = graph.empty();
  Graph clone(clone_of(graph));
  MUST(cudaGraphDestroyNode(found(a, clone)));
  ASK(cudaErrorInvalidValue, find(a, clone));
  ASK(cudaSuccess, find(b, clone));
}

TEST_F(GraphClone, ANodeDestroyedInTheOriginalIsNotFound) {
  const auto a = graph.empty(), b = graph.empty({a});
  auto* original = new Graph;
  const auto c = original->empty();
  Graph clone(clone_of(graph)), other(clone_of(*original));
  MUST(cudaGraphDestroyNode(a));
  ASK(cudaSuccess, find(b, clone));
  delete original;
  CRASHES_ON_NVIDIA("cudaGraphNodeFindInClone with a destroyed node of the original");
  ASK_CASE("a destroyed node", cudaErrorInvalidValue, find(a, clone));
  ASK_CASE("a node of a destroyed graph", cudaErrorInvalidValue, find(c, other));
}

TEST_F(GraphClone, OfACloneIsACloneOfTheClone) {
  const auto a = graph.empty();
  Graph first(clone_of(graph)), second(clone_of(first));
  const auto middle = found(a, first);
  ASK(cudaSuccess, find(middle, second));
  ASK_CASE("the first's original in the second", cudaErrorInvalidValue, find(a, second));
}

TEST_F(GraphClone, TwoClonesFindTheirOwnNodes) {
  const auto a = graph.empty();
  Graph first(clone_of(graph)), second(clone_of(graph));
  EXPECT_EQ(nodes_of(first)[0], found(a, first));
  EXPECT_EQ(nodes_of(second)[0], found(a, second));
}

TEST_F(GraphClone, ChildrenAreClonedToo) {
  Graph inner;
  inner.store(cell.get(), 5);
  const auto child = graph.child(inner);
  Graph clone(clone_of(graph));
  cudaGraph_t original_inner = nullptr, cloned_inner = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &original_inner));
  MUST(cudaGraphChildGraphNodeGetGraph(found(child, clone), &cloned_inner));
  EXPECT_NE(original_inner, cloned_inner);
  const auto inside = nodes_of(original_inner)[0];
  ASK_CASE("a child's node in the cloned child", cudaSuccess, find(inside, cloned_inner));
  ASK_CASE("a child's node in the clone", cudaErrorInvalidValue, find(inside, clone));
  ASK_CASE("the template's node in the embedded child", cudaSuccess, find(nodes_of(inner)[0], original_inner));
  run(clone);
  EXPECT_EQ(5, cell.read()[0]);
}

TEST_F(GraphClone, AnEmptyGraphCanBeCloned) {
  Graph clone(clone_of(graph));
  EXPECT_TRUE(nodes_of(clone).empty());
  cudaGraph_t out = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphClone(nullptr, graph));
  ASK(cudaErrorInvalidValue, cudaGraphClone(&out, nullptr));
  EXPECT_EQ(nullptr, out);
}

TEST_F(GraphClone, EveryParameterTravels) {
  Event event;
  std::atomic<int> calls{0};
  std::vector<int> in = {6};
  graph.copy(cell.get(), in.data(), 4);
  graph.set(cell.get() + 1, 1, 4);
  graph.host(count_call, &calls);
  graph.record(event);
  Graph clone(clone_of(graph));
  run(clone);
  EXPECT_EQ((std::vector<int>{6, 0x01010101, 0, 0}), cell.read());
  EXPECT_EQ(1, calls);
}

}  // namespace
