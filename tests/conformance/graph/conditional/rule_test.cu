// Conditional nodes: handles, and which graphs can be built with them.
#include <cooperative_groups.h>
#include <unistd.h>

#include "graph/conditional/conditional_support.h"

namespace {

__global__ void whole_grid(int* where) {
  cooperative_groups::this_grid().sync();
  *where = 1;
}

TEST_F(GraphConditionalRules, Handles) {
  Condition a = 0, b = 0;
  ASK(bad, cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
  ASK(bad, cudaGraphConditionalHandleCreate(&a, nullptr, 0, 0));
  for (unsigned flags : {0u, 1u}) {
    ASK_CASE("flags " + std::to_string(flags), ok, cudaGraphConditionalHandleCreate(&a, graph, 0, flags));
  }
  for (unsigned flags : {2u, 3u, 4u, ~0u}) {
    ASK_CASE("flags " + std::to_string(flags), bad, cudaGraphConditionalHandleCreate(&b, graph, 0, flags));
  }
  MUST(cudaGraphConditionalHandleCreate(&a, graph, 0, 0));
  MUST(cudaGraphConditionalHandleCreate(&b, graph, ~0u, cudaGraphCondAssignDefault));
  ASK_FACT("a handle is 0", false, a == 0);
  ASK_FACT("handles differ", true, a != b);
  ASK_FACT("a default without the flag", ok, cudaGraphConditionalHandleCreate(&b, graph, 5, 0));
}

TEST_F(GraphConditionalRules, TypesAndSizes) {
  const struct {
    int type;
    unsigned size;
    bool fine;
  } rows[] = {{0, 0, false}, {0, 1, true},  {0, 2, true},   {0, 3, false}, {1, 0, false},
              {1, 1, true},  {1, 2, false}, {2, 0, false},  {2, 1, true},  {2, 2, true},
              {2, 5, true},  {2, 64, true}, {2, 300, true}, {3, 1, false}, {-1, 1, false}};
  for (const auto& row : rows) {
    Graph here;
    const auto condition = condition_of(here);
    ASK_CASE("type " + std::to_string(row.type) + " size " + std::to_string(row.size), row.fine ? ok : bad,
             add(here, condition, row.type, row.size));
  }
}

TEST_F(GraphConditionalRules, WhichHandlesFit) {
  Graph other;
  const auto foreign = condition_of(other);
  ASK_CASE("no handle", bad, add(graph, 0, 0, 1));
  ASK_CASE("another graph's handle", bad, add(graph, foreign, 0, 1));
  const auto mine = condition_of(graph);
  ASK_CASE("its own", ok, add(graph, mine, 0, 1));
  ASK_CASE("the same again", bad, add(graph, mine, 0, 1));
  ASK_CASE("invented", bad, add(graph, mine + 12345, 0, 1));
}

TEST_F(GraphConditionalRules, ParametersAreChecked) {
  const auto condition = condition_of(graph);
  auto params = conditional_params(condition, cudaGraphCondTypeIf);
  cudaGraphNode_t node = nullptr;
  ASK_CASE("no place for the node", bad, cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &params));
  params.reserved2 = 1;
  ASK_CASE("reserved bytes", bad, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  params.reserved2 = 0;
  cudaGraph_t* before = reinterpret_cast<cudaGraph_t*>(uintptr_t{16});
  params.conditional.phGraph_out = before;
  ASK_CASE("an array given", ok, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  ASK_FACT("is replaced", true, params.conditional.phGraph_out != before);
}

TEST_F(GraphConditionalRules, BodiesAreGraphsOfTheNode) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeSwitch, 3);
  ASSERT_EQ(3u, choice.bodies.size());
  EXPECT_EQ(3u, as_set(choice.bodies).size());
  for (auto body : choice.bodies) EXPECT_TRUE(nodes_of(body).empty());
  cudaGraphNodeType type{};
  MUST(cudaGraphNodeGetType(choice.node, &type));
  EXPECT_EQ(cudaGraphNodeTypeConditional, type);
  EXPECT_EQ(1u, nodes_of(graph).size());
  cudaGraphExec_t exec = nullptr;
  ASK_CASE("a body instantiated", cudaErrorNotSupported, cudaGraphInstantiate(&exec, choice.bodies[0], 0));
  Graph other;
  cudaGraphNode_t node = nullptr;
  ASK_CASE("a body as a child", cudaErrorNotSupported,
           cudaGraphAddChildGraphNode(&node, other, nullptr, 0, choice.bodies[0]));
  cudaGraph_t clone = nullptr;
  ASK_CASE("a body cloned", cudaErrorNotSupported, cudaGraphClone(&clone, choice.bodies[0]));
  if (clone) MUST(cudaGraphDestroy(clone));
  cudaGraph_t child = nullptr;
  ASK_CASE("asked for a child graph", bad, cudaGraphChildGraphNodeGetGraph(choice.node, &child));
  Graph same, around;
  Body(choice.bodies[0])->store(cell.get(), 2);
  same.store(cell.get(), 1);
  const auto inside = around.child(same);
  Exec of_same(same), of_around(around);
  ASK_FACT("an executable graph updated from a body", std::string("cudaErrorInvalidValue Success node - from -"),
           update(of_same, choice.bodies[0]));
  ASK_CASE("a child graph updated from a body", ok,
           cudaGraphExecChildGraphNodeSetParams(of_around, inside, choice.bodies[0]));
  launch(of_around);
  ASK_FACT("cell", 2, cell.read()[0]);
}

TEST_F(GraphConditionalRules, ABodyIsNotDestroyedByItself) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeIf);
  ASK(bad, cudaGraphDestroy(choice.bodies[0]));
}

TEST_F(GraphConditionalRules, NodesThatABodyMayHold) {
  int* at = cell.get();
  std::atomic<int> calls{0};
  PinnedArray<int> pinned(4);
  std::vector<int> pageable(4);
  Event event;
  Graph plain, with_host;
  plain.store(at, 1);
  with_host.host(count_call, &calls);
  auto check = [&](const char* name, cudaError_t added, const std::string& expected, auto add_to) {
    Graph here;
    Conditional choice(here, condition_of(here), cudaGraphCondTypeIf);
    if (choice.error != cudaSuccess) return;
    Nodes among{choice.node};
    const cudaError_t answer = guarded([&] { return add_to(choice.bodies[0]); });
    ASK_CASE(std::string(name) + ": added", added, answer);
    (void)cudaGetLastError();
    for (auto node : nodes_of(choice.bodies[0])) among.push_back(node);
    ASK_FACT(std::string(name) + ": instantiated", expected, instantiated(here, among));
  };
  cudaGraphNode_t node = nullptr;
  KernelParams kernel(store, at, 1);
  const auto set = memset_params(at, 1, 1, 4);
  cudaHostNodeParams host{};
  host.fn = count_call;
  host.userData = &calls;
  check("nothing", ok, "Success", [&](cudaGraph_t) { return cudaSuccess; });
  check("a kernel", ok, "Success",
        [&](cudaGraph_t g) { return cudaGraphAddKernelNode(&node, g, nullptr, 0, &kernel.params); });
  check("a set", ok, "Success", [&](cudaGraph_t g) { return cudaGraphAddMemsetNode(&node, g, nullptr, 0, &set); });
  check("an empty node", ok, "Success", [&](cudaGraph_t g) { return cudaGraphAddEmptyNode(&node, g, nullptr, 0); });
  auto copy = [&](void* to, const void* from) {
    return [&node, to, from](cudaGraph_t g) {
      return cudaGraphAddMemcpyNode1D(&node, g, nullptr, 0, to, from, 4, cudaMemcpyDefault);
    };
  };
  check("device to device", ok, "Success", copy(at, at + 4));
  check("pinned to device", ok, "Success", copy(at, pinned.get()));
  check("device to pinned", ok, "Success", copy(pinned.get(), at));
  check("pinned to pinned", ok, "Success", copy(pinned.get(), pinned.get() + 1));
  check("pageable to device", ok, "cudaErrorInvalidValue result 4 node 1", copy(at, pageable.data()));
  check("device to pageable", ok, "cudaErrorInvalidValue result 4 node 1", copy(pageable.data(), at));
  check("a child graph", ok, "Success",
        [&](cudaGraph_t g) { return cudaGraphAddChildGraphNode(&node, g, nullptr, 0, plain); });
  check("a child graph with a host node", ok, "cudaErrorInvalidValue result 3 node ?",
        [&](cudaGraph_t g) { return cudaGraphAddChildGraphNode(&node, g, nullptr, 0, with_host); });
  check("a host node", ok, "cudaErrorInvalidValue result 3 node 1",
        [&](cudaGraph_t g) { return cudaGraphAddHostNode(&node, g, nullptr, 0, &host); });
  check("an event recorded", ok, "cudaErrorInvalidValue result 3 node 1",
        [&](cudaGraph_t g) { return cudaGraphAddEventRecordNode(&node, g, nullptr, 0, event); });
  check("an event waited for", ok, "cudaErrorInvalidValue result 3 node 1",
        [&](cudaGraph_t g) { return cudaGraphAddEventWaitNode(&node, g, nullptr, 0, event); });
  check("a cooperative kernel", ok, "Success", [&](cudaGraph_t g) {
    KernelParams grid(whole_grid, at);
    const cudaError_t error = cudaGraphAddKernelNode(&node, g, nullptr, 0, &grid.params);
    if (error != cudaSuccess) return error;
    cudaLaunchAttributeValue yes{};
    yes.cooperative = 1;
    return cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &yes);
  });
  check("a conditional with its own graph's handle", ok, "Success",
        [&](cudaGraph_t g) { return add(g, condition_of(g), cudaGraphCondTypeWhile, 1); });
  check("a cycle", ok, "cudaErrorInvalidValue result 2 node 2", [&](cudaGraph_t g) {
    Body body(g);
    const auto a = body->empty(), b = body->empty({a});
    return body->edge(b, a);
  });
}

TEST_F(GraphConditionalRules, HandlesOfTheGraphAround) {
  Conditional outer(graph, condition_of(graph), cudaGraphCondTypeIf);
  const auto of_graph = condition_of(graph);
  ASK_CASE("the outer graph's handle inside a body", ok, add(outer.bodies[0], of_graph, 0, 1));
  ASK_FACT("instantiated", std::string("Success"), instantiated(graph, nodes_of(graph)));
  const auto of_body = condition_of(outer.bodies[0]);
  ASK_CASE("the body's handle in the outer graph", ok, add(graph, of_body, 0, 1));
}

TEST_F(GraphConditionalRules, HandlesWithoutANode) {
  (void)condition_of(graph);
  graph.empty();
  ASK_FACT("instantiated", std::string("cudaErrorInvalidValue result 5 node -"), instantiated(graph, nodes_of(graph)));
  cudaGraphExec_t exec = nullptr;
  ASK(bad, cudaGraphInstantiate(&exec, graph, 0));
  Graph plain, around;
  plain.empty();
  const auto child = around.child(plain);
  Exec of_plain(plain), of_around(around);
  ASK_FACT("updated from it", std::string("Success"), update(of_plain, graph));
  ASK_CASE("a child graph updated from it", ok, cudaGraphExecChildGraphNodeSetParams(of_around, child, graph));
}

TEST_F(GraphConditionalRules, ANodeThatIsDestroyedLeavesItsHandle) {
  const auto condition = condition_of(graph);
  Conditional choice(graph, condition, cudaGraphCondTypeIf);
  ASK(ok, cudaGraphDestroyNode(choice.node));
  ASK_FACT("instantiated", std::string("cudaErrorInvalidValue result 5 node -"), instantiated(graph, {}));
  ASK_CASE("the handle again", ok, add(graph, condition, 0, 1));
  ASK_FACT("instantiated with a new node", std::string("Success"), instantiated(graph, nodes_of(graph)));
}

TEST_F(GraphConditionalRules, OnlyOneExecutableGraphAtATime) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeIf);
  cudaGraphExec_t first = nullptr, second = nullptr;
  MUST(cudaGraphInstantiate(&first, graph, 0));
  ASK_CASE("a second one", cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
  if (second) MUST(cudaGraphExecDestroy(second));
  MUST(cudaGraphExecDestroy(first));
  ASK_CASE("after the first is gone", ok, cudaGraphInstantiate(&first, graph, 0));
  if (first) MUST(cudaGraphExecDestroy(first));
}

TEST_F(GraphConditionalRules, AddingNodesWhileAnExecutableGraphIsThere) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeIf);
  Body(choice.bodies[0])->store(cell.get(), 1);
  Exec exec(graph);
  cudaGraphNode_t node = nullptr;
  ASK_CASE("to the graph", ok, cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  ASK_CASE("to the body", ok, cudaGraphAddEmptyNode(&node, choice.bodies[0], nullptr, 0));
  launch(exec);
}

TEST_F(GraphConditionalRules, ClonesAndChildren) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeIf);
  cudaGraph_t clone = nullptr;
  ASK_CASE("a clone", cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  if (clone) (void)cudaGraphDestroy(clone);
  Graph outer;
  cudaGraphNode_t node = nullptr;
  ASK_CASE("a child", cudaErrorNotSupported, cudaGraphAddChildGraphNode(&node, outer, nullptr, 0, graph));
  auto params = moved(graph);
  ASK_CASE("a child, moved", cudaErrorNotSupported, cudaGraphAddNode(&node, outer, nullptr, nullptr, 0, &params));
}

TEST_F(GraphConditionalRules, AConditionalAddedToAChildGraph) {
  Graph inner;
  inner.empty();
  const auto child = graph.child(inner);
  cudaGraph_t body = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &body));
  Condition condition = 0;
  ASK_CASE("a handle for a child graph", ok, cudaGraphConditionalHandleCreate(&condition, body, 1, 1));
  ASK_CASE("a node in it", ok, add(body, condition, 0, 1));
  ASK_FACT("instantiated", std::string("Success"), instantiated(graph, {child}));
  const auto of_parent = condition_of(graph);
  ASK_CASE("a node in it by the parent's handle", ok, add(body, of_parent, 0, 1));
}

TEST_F(GraphConditionalRules, ParametersCannotBeSet) {
  const auto condition = condition_of(graph);
  Conditional choice(graph, condition, cudaGraphCondTypeIf);
  auto params = conditional_params(condition, cudaGraphCondTypeIf);
  ASK_CASE("in the graph", cudaErrorNotSupported, cudaGraphNodeSetParams(choice.node, &params));
  Exec exec(graph);
  ASK_CASE("in the executable graph", cudaErrorNotSupported, cudaGraphExecNodeSetParams(exec, choice.node, &params));
  unsigned enabled = 7;
  ASK_CASE("asked whether enabled", bad, cudaGraphNodeGetEnabled(exec, choice.node, &enabled));
  ASK_CASE("disabled", bad, cudaGraphNodeSetEnabled(exec, choice.node, 0));
}

TEST_F(GraphConditionalRules, EarlyEdges) {
  const auto before = graph.store(cell.get(), 1);
  auto params = conditional_params(condition_of(graph), cudaGraphCondTypeIf);
  cudaGraphNode_t node = nullptr;
  ASK_CASE("programmatic", bad, cudaGraphAddNode(&node, graph, &before, &programmatic, 1, &params));
  const auto late = edge_data(cudaGraphKernelNodePortDefault, 0, cudaGraphDependencyTypeProgrammatic);
  ASK_CASE("programmatic from the end", bad, cudaGraphAddNode(&node, graph, &before, &late, 1, &params));
}

TEST_F(GraphConditionalRules, ForDeviceLaunch) {
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  Body(choice.bodies[0])->store(cell.get(), 1);
  ASK_FACT("instantiated for device launch", std::string("cudaErrorInvalidValue result 3 node 0"),
           instantiated(graph, {choice.node}, cudaGraphInstantiateFlagDeviceLaunch));
}

TEST_F(GraphConditionalRules, Drawings) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeIf);
  Body(choice.bodies[0])->store(cell.get(), 1);
  const std::string path = "/tmp/reprise_conditional_" + std::to_string(getpid()) + ".dot";
  ASK(ok, cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose));
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  TELL("drawing", text);
  std::remove(path.c_str());
}

}  // namespace
