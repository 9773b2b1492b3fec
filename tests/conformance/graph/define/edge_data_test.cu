// Which ports and types fit which nodes.
#include "graph/graph_support.h"

namespace {

class GraphEdgeData : public Graphs {
 protected:
  DeviceArray<int> data{4};
  Event event;
  Graph inner;
  std::atomic<int> calls{0};

  void SetUp() override {
    Graphs::SetUp();
    inner.empty();
  }
  struct Kind {
    const char* name;
    std::function<cudaGraphNode_t(Graph&)> add;
  };
  std::vector<Kind> kinds() {
    return {
        {"kernel", [&](Graph& g) { return g.kernel({}, nothing); }},
        {"memcpy", [&](Graph& g) { return g.copy(data.get(), data.get() + 2, 4); }},
        {"memset", [&](Graph& g) { return g.set(data.get(), 0, 4); }},
        {"host", [&](Graph& g) { return g.host(count_call, &calls); }},
        {"child", [&](Graph& g) { return g.child(inner); }},
        {"empty", [&](Graph& g) { return g.empty(); }},
        {"wait", [&](Graph& g) { return g.wait(event); }},
        {"record", [&](Graph& g) { return g.record(event); }},
    };
  }
};

// Every from port 0-3, to port 0-1, type 0-2 between every two types: "p/q/t" of those accepted, then those whose
// graph also instantiates.
TEST_F(GraphEdgeData, OnlyKernelsHavePortsAndProgrammaticEdgesJoinKernels) {
  for (const auto& from : kinds()) {
    for (const auto& to : kinds()) {
      std::string accepted, usable, odd;
      for (int port = 0; port < 4; ++port) {
        for (int to_port = 0; to_port < 2; ++to_port) {
          for (int type = 0; type < 3; ++type) {
            Graph pair;
            const auto a = from.add(pair), b = to.add(pair);
            const auto data = edge_data(port, to_port, type);
            const auto answer = pair.edge(a, b, &data);
            const std::string text =
                std::to_string(port) + "/" + std::to_string(to_port) + "/" + std::to_string(type) + " ";
            if (answer == cudaSuccess) {
              accepted += text;
              cudaGraphExec_t exec = nullptr;
              if (cudaGraphInstantiate(&exec, pair, 0) == cudaSuccess) {
                usable += text;
                EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
              }
            } else if (answer != cudaErrorInvalidValue) {
              odd += text + named(answer) + " ";
            }
          }
        }
      }
      const std::string pair = std::string(from.name) + " to " + to.name;
      TELL(pair, accepted + "| " + usable + "| " + odd);
      const bool from_kernel = std::string(from.name) == "kernel", to_kernel = std::string(to.name) == "kernel";
      const std::string expected = !from_kernel ? "0/0/0 " : to_kernel ? "0/0/0 1/0/1 2/0/0 2/0/1 " : "0/0/0 2/0/0 ";
      EXPECT_EQ(expected, accepted) << pair;
      EXPECT_EQ(expected, usable) << pair;
      EXPECT_EQ("", odd) << pair;
    }
  }
}

TEST_F(GraphEdgeData, ReservedBytesMustBeZero) {
  const auto a = graph.kernel({}, nothing), b = graph.kernel({}, nothing);
  for (int i = 0; i < 5; ++i) {
    auto bad = edge_data(0, 0, 0);
    bad.reserved[i] = 1;
    ASK_CASE("reserved byte " + std::to_string(i), cudaErrorInvalidValue, graph.edge(a, b, &bad));
    (void)cudaGraphRemoveDependencies(graph, &a, &b, &bad, 1);
  }
}

TEST_F(GraphEdgeData, OneEdgeBetweenTwoNodes) {
  const auto a = graph.kernel({}, nothing), b = graph.kernel({}, nothing);
  const auto completion = edge_data(cudaGraphKernelNodePortLaunchCompletion, 0, cudaGraphDependencyTypeProgrammatic);
  MUST(graph.edge(a, b, &programmatic));
  ASK(cudaErrorInvalidValue, graph.edge(a, b, &programmatic));
  ASK_CASE("programmatic there, plain added", cudaErrorInvalidValue, graph.edge(a, b));
  ASK_CASE("programmatic there, launch completion added", cudaErrorInvalidValue, graph.edge(a, b, &completion));
  ASK_FACT("edges now", 1, edges_of(graph).size());
  size_t count = 0;
  MUST(cudaGraphNodeGetDependencies(b, nullptr, nullptr, &count));
  ASK_FACT("dependencies now", 1, count);
  MUST(cudaGraphNodeGetDependentNodes(a, nullptr, nullptr, &count));
  ASK_FACT("dependents now", 1, count);
  cudaGraphExec_t exec = nullptr;
  ASK_CASE("instantiated", cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  if (exec) MUST(cudaGraphExecDestroy(exec));
}

TEST_F(GraphEdgeData, RemovalDoesNotCompareTheData) {
  const auto a = graph.kernel({}, nothing), b = graph.kernel({}, nothing);
  const auto completion = edge_data(cudaGraphKernelNodePortLaunchCompletion, 0, cudaGraphDependencyTypeProgrammatic);
  const auto plain = edge_data(0, 0, 0);
  const cudaGraphEdgeData* const given[] = {&programmatic, &completion, &plain, nullptr};
  for (const cudaGraphEdgeData* data : given) {
    MUST(graph.edge(a, b, &programmatic));
    ASK(cudaSuccess, cudaGraphRemoveDependencies(graph, &a, &b, data, 1));
    EXPECT_TRUE(edges_of(graph).empty());
  }
}

TEST_F(GraphEdgeData, MayBeGivenWithTheNode) {
  const auto a = graph.kernel({}, nothing), e = graph.empty();
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(nothing);
  params.kernel.gridDim = 1;
  params.kernel.blockDim = 1;
  const cudaGraphNode_t after[] = {a, e};
  const cudaGraphEdgeData good[] = {programmatic, edge_data(0, 0, 0)}, bad[] = {programmatic, programmatic};
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, after, bad, 2, &params));
  EXPECT_EQ(2u, nodes_of(graph).size());
  MUST(cudaGraphAddNode(&node, graph, after, good, 2, &params));
  Nodes from(2);
  cudaGraphEdgeData told[2];
  size_t count = 2;
  MUST(cudaGraphNodeGetDependencies(node, from.data(), told, &count));
  ASSERT_EQ(2u, count);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(told[i] == (from[i] == a ? programmatic : edge_data(0, 0, 0)));
}

TEST_F(GraphEdgeData, TravelsWithACloneAndAChild) {
  const auto a = graph.kernel({}, nothing), b = graph.kernel({}, nothing);
  MUST(graph.edge(a, b, &programmatic));
  cudaGraph_t copy = nullptr;
  MUST(cudaGraphClone(&copy, graph));
  Graph clone(copy), parent;
  cudaGraph_t embedded = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(parent.child(graph), &embedded));
  for (cudaGraph_t g : {copy, embedded}) {
    cudaGraphNode_t from, to;
    cudaGraphEdgeData told{};
    size_t count = 1;
    MUST(cudaGraphGetEdges(g, &from, &to, &told, &count));
    EXPECT_EQ(1u, count);
    EXPECT_TRUE(told == programmatic);
  }
}

}  // namespace
