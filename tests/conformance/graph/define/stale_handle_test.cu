// Destroyed and invented handles. They are errors here and undefined on NVIDIA's runtime, where each test needs a
// process of its own and runs only when probing.
#include "graph/graph_support.h"

namespace {

class HazardGraph : public Graphs {
 protected:
  cudaGraphNode_t node = nullptr;
  cudaGraph_t other = nullptr;
  cudaGraphExec_t exec = nullptr;
  size_t count = 0;

  void SetUp() override {
    Graphs::SetUp();
    UNDEFINED_ON_NVIDIA("stale and invented handles");
  }
  static cudaGraph_t dead_graph() {
    cudaGraph_t dead = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&dead, 0));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(dead));
    return dead;
  }
  cudaGraphNode_t dead_node() {
    const auto node = graph.kernel({}, nothing);
    EXPECT_EQ(cudaSuccess, cudaGraphDestroyNode(node));
    return node;
  }
  cudaGraphExec_t dead_exec() {
    Exec exec(graph);
    const auto dead = static_cast<cudaGraphExec_t>(exec);
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec.release()));
    return dead;
  }
  static void refused(const char* what, cudaError_t answer) {
    TELL_ERROR(what, answer);
    if (!on_nvidia()) EXPECT_NE(cudaSuccess, answer) << what;
  }
};

#define HAZARD(name, ...)                                                         \
  TEST_F(HazardGraph, name) {                                                     \
    refused(#__VA_ARGS__, guarded([&]() -> cudaError_t { return __VA_ARGS__; })); \
  }

HAZARD(DestroyGraphTwice, cudaGraphDestroy(dead_graph()))
HAZARD(AddToADeadGraph, cudaGraphAddEmptyNode(&node, dead_graph(), nullptr, 0))
HAZARD(ListADeadGraph, cudaGraphGetNodes(dead_graph(), nullptr, &count))
HAZARD(CloneADeadGraph, cudaGraphClone(&other, dead_graph()))
HAZARD(InstantiateADeadGraph, cudaGraphInstantiate(&exec, dead_graph(), 0))
HAZARD(ADeadGraphAsChild, cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, dead_graph()))
HAZARD(DestroyNodeTwice, cudaGraphDestroyNode(dead_node()))
HAZARD(DependOnADeadNode, [&] {
  const auto dead = dead_node();
  return cudaGraphAddEmptyNode(&node, graph, &dead, 1);
}())
HAZARD(AddAnEdgeToADeadNode, [&] {
  const auto live = graph.empty();
  return graph.edge(live, dead_node());
}())
HAZARD(ParametersOfADeadNode, [&] {
  cudaKernelNodeParams params{};
  return cudaGraphKernelNodeGetParams(dead_node(), &params);
}())
HAZARD(TypeOfADeadNode, [&] {
  cudaGraphNodeType type{};
  return cudaGraphNodeGetType(dead_node(), &type);
}())
HAZARD(NodeOfADeadGraph, [&] {
  Graph gone;
  const auto orphan = gone.empty();
  (void)cudaGraphDestroy(gone.release());
  cudaGraphNodeType type{};
  return cudaGraphNodeGetType(orphan, &type);
}())
HAZARD(DestroyExecTwice, cudaGraphExecDestroy(dead_exec()))
HAZARD(LaunchADeadExec, cudaGraphLaunch(dead_exec(), nullptr))
HAZARD(UploadADeadExec, cudaGraphUpload(dead_exec(), nullptr))
HAZARD(AnInventedGraph, cudaGraphAddEmptyNode(&node, reinterpret_cast<cudaGraph_t>(uintptr_t{0x10}), nullptr, 0))
HAZARD(AnInventedNode, cudaGraphDestroyNode(reinterpret_cast<cudaGraphNode_t>(uintptr_t{0x10})))
HAZARD(AnInventedExec, cudaGraphLaunch(reinterpret_cast<cudaGraphExec_t>(uintptr_t{0x10}), nullptr))
HAZARD(AnExecAsAGraph, [&] {
  Exec good(graph);
  return cudaGraphGetNodes(reinterpret_cast<cudaGraph_t>(static_cast<cudaGraphExec_t>(good)), nullptr, &count);
}())
HAZARD(LaunchIntoADeadStream, [&] {
  Exec good(graph);
  cudaStream_t dead = nullptr;
  (void)cudaStreamCreate(&dead);
  (void)cudaStreamDestroy(dead);
  return cudaGraphLaunch(good, dead);
}())
HAZARD(RecordADeadEvent, [&] {
  cudaEvent_t dead = nullptr;
  (void)cudaEventCreate(&dead);
  (void)cudaEventDestroy(dead);
  return cudaGraphAddEventRecordNode(&node, graph, nullptr, 0, dead);
}())
HAZARD(ReleaseADeadObject, [&] {
  static std::atomic<int> calls;
  cudaUserObject_t object = nullptr;
  (void)cudaUserObjectCreate(&object, &calls, count_call, 1, cudaUserObjectNoDestructorSync);
  (void)cudaUserObjectRelease(object, 1);
  return cudaUserObjectRelease(object, 1);
}())

// An event destroyed after its node was added, before instantiation and after it.
TEST_F(HazardGraph, AnEventThatDiesBeforeInstantiation) {
  cudaEvent_t event = nullptr;
  MUST(cudaEventCreate(&event));
  graph.record(event);
  MUST(cudaEventDestroy(event));
  cudaGraphExec_t exec = nullptr;
  refused("instantiate", guarded([&] { return cudaGraphInstantiate(&exec, graph, 0); }));
}

TEST_F(HazardGraph, AnEventThatDiesAfterInstantiation) {
  cudaEvent_t event = nullptr;
  MUST(cudaEventCreate(&event));
  graph.record(event);
  Exec exec(graph);
  MUST(cudaEventDestroy(event));
  ASK_CASE("launch", cudaSuccess, cudaGraphLaunch(exec, nullptr));
  ASK_CASE("synchronize", cudaSuccess, cudaDeviceSynchronize());
}

// A template destroyed while an executable graph made from it is updated through its nodes.
TEST_F(HazardGraph, ExecNodeOfADestroyedTemplateNode) {
  const auto node = graph.kernel({}, nothing);
  Exec exec(graph);
  MUST(cudaGraphDestroyNode(node));
  const auto params = kernel_params(nothing, nullptr);
  refused("update by a dead node", cudaGraphExecKernelNodeSetParams(exec, node, &params));
}

}  // namespace
