// Conditional nodes: handles, what may be built with them, and what may not.
#include <cooperative_groups.h>
#include <unistd.h>

#include "graph/conditional/conditional_support.h"

namespace {

__global__ void whole_grid(int* where) {
  cooperative_groups::this_grid().sync();
  *where = 1;
}

class GraphConditionalRules : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue;

  cudaError_t add(cudaGraph_t to, Condition condition, int type, unsigned size) {
    auto params = conditional_params(condition, static_cast<cudaGraphConditionalNodeType>(type), size);
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddNode(&node, to, nullptr, nullptr, 0, &params);
  }
};

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

TEST_F(GraphConditionalRules, WhatMayBeInABody) {
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

TEST_F(GraphConditionalRules, UpdatesOfWholeGraphs) {
  struct Made {
    Graph graph;
    std::unique_ptr<Conditional> choice;
    Nodes among;
  };
  auto build = [&](Made& made, cudaGraphConditionalNodeType type, unsigned size, unsigned value, int stored,
                   int kernels, unsigned flags = 1) {
    made.choice = std::make_unique<Conditional>(made.graph, condition_of(made.graph, value, flags), type, size);
    made.among = {made.choice->node};
    for (auto graph : made.choice->bodies) {
      Body body(graph);
      Nodes last;
      for (int i = 0; i < kernels; ++i) last = {body->store(cell.get() + i, stored + i, last)};
      for (auto node : nodes_of(graph)) made.among.push_back(node);
    }
  };
  auto cells = [&] {
    auto all = cell.read();
    return text_of(std::vector<int>(all.begin(), all.begin() + 2));
  };
  Made first;
  build(first, cudaGraphCondTypeIf, 1, 1, 1, 1);
  Exec exec(first.graph);
  launch(exec);
  ASK_FACT("as it was", std::string("1 0"), cells());
  {
    Made made;
    build(made, cudaGraphCondTypeIf, 1, 1, 5, 1);
    ASK_FACT("another kernel in the body", std::string("Success"), update(exec, made.graph, made.among));
    launch(exec);
    ASK_FACT("cells", std::string("5 0"), cells());
  }
  {
    Made made;
    build(made, cudaGraphCondTypeIf, 1, 0, 7, 1);
    ASK_FACT("another default", std::string("Success"), update(exec, made.graph, made.among));
    launch(exec);
    ASK_FACT("cells with a default of 0", std::string("5 0"), cells());
  }
  {
    Made made;
    build(made, cudaGraphCondTypeWhile, 1, 1, 1, 1);
    ASK_FACT("another type", refused("NotSupported", "0"), update(exec, made.graph, made.among));
  }
  {
    Made made;
    build(made, cudaGraphCondTypeIf, 2, 1, 1, 1);
    ASK_FACT("another size", refused("NotSupported", "0"), update(exec, made.graph, made.among));
  }
  {
    Made made;
    build(made, cudaGraphCondTypeIf, 1, 1, 1, 2);
    ASK_FACT("another topology in the body", refused("TopologyChanged"), update(exec, made.graph, made.among));
  }
  {
    Made made;
    made.choice = std::make_unique<Conditional>(made.graph, condition_of(made.graph, 1, 1), cudaGraphCondTypeIf);
    Body(made.choice->bodies[0])->set(cell.get(), 1, 4);
    made.among = {made.choice->node, nodes_of(made.choice->bodies[0]).at(0)};
    ASK_FACT("another node type in the body", refused("NodeTypeChanged", "1"), update(exec, made.graph, made.among));
  }
  {
    Made made;
    made.graph.store(cell.get(), 1);
    ASK_FACT("no conditional", refused("NodeTypeChanged", "0"), update(exec, made.graph, nodes_of(made.graph)));
  }
  {
    Made made;
    build(made, cudaGraphCondTypeIf, 1, 1, 9, 1, 0);
    ASK_FACT("no default assigned", std::string("Success"), update(exec, made.graph, made.among));
    launch(exec);
    TELL("cells without a default", cells());
  }
  Made second;
  build(second, cudaGraphCondTypeIf, 1, 1, 11, 1);
  ASK_FACT("updated from a graph that has an executable of its own", std::string("Success"), [&] {
    Exec own(second.graph);
    return update(exec, second.graph, second.among);
  }());
}

TEST_F(GraphConditionalRules, ALoopUpdatedFromAGraphWithItsOwnCondition) {
  auto build = [&](Graph& into, int rounds, int* counted) {
    const auto condition = condition_of(into, 1, 1);
    const auto start = into.store(cell.get(), rounds);
    Conditional loop(into, condition, cudaGraphCondTypeWhile, 1, {start});
    Body body(loop.bodies[0]);
    body->kernel({body->kernel({}, add_one, counted)}, count_down, condition, cell.get());
  };
  build(graph, 3, cell.get() + 1);
  Exec exec(graph);
  launch(exec);
  {
    Graph other;
    build(other, 5, cell.get() + 2);
    ASK_FACT("another loop", std::string("Success"), update(exec, other));
    launch(exec);
  }
  ASK_FACT("rounds", std::string("0 3 5 0 0 0 0 0"), text_of(cell.read()));
  launch(exec);
  ASK_FACT("rounds when the other graph is gone", std::string("0 3 10 0 0 0 0 0"), text_of(cell.read()));
}

TEST_F(GraphConditionalRules, AValueWithoutADefaultStaysAcrossUpdates) {
  auto build = [&](Graph& g, unsigned value, unsigned flags, unsigned left) {
    const auto condition = condition_of(g, value, flags);
    Conditional choice(g, condition, cudaGraphCondTypeSwitch, 5);
    for (int i = 0; i < 5; ++i) Body(choice.bodies[i])->store(cell.get(), 10 + i);
    g.kernel({choice.node}, set_condition, condition, left);
  };
  Graph second, third, fourth;
  build(graph, 2, 1, 3);
  build(second, 1, 0, 4);
  build(third, 0, 0, 1);
  build(fourth, 0, 1, 2);
  Exec exec(graph);
  auto run_it = [&](Graph& by, const char* what, int expected) {
    ASK_FACT(what, std::string("Success"), update(exec, by));
    MUST(cudaMemset(cell.get(), 0, 4));
    launch(exec);
    ASK_FACT(std::string(what) + ", what ran", expected, cell.read()[0]);
  };
  launch(exec);
  ASK_FACT("by its default", 12, cell.read()[0]);
  run_it(second, "one without a default", 13);
  run_it(third, "another", 14);
  run_it(second, "the one before", 11);
  run_it(fourth, "one with a default", 10);
  run_it(third, "one without again", 12);
  // A default is assigned by launches, not by instantiation.
  Graph fifth, sixth;
  build(fifth, 2, 1, 3);
  build(sixth, 1, 0, 4);
  Exec unused(fifth);
  ASK_FACT("before the first launch", std::string("Success"), update(unused, sixth));
  MUST(cudaMemset(cell.get(), 0, 4));
  launch(unused);
  ASK_FACT("before the first launch, what ran", 10, cell.read()[0]);
}

// Instantiation refuses such copies in bodies, and yet an update brings them in.
TEST_F(GraphConditionalRules, PageableCopiesBroughtIntoBodies) {
  PinnedArray<int> pinned(4);
  std::vector<int> pageable(4);
  int* at = cell.get();
  const struct {
    const char* name;
    void *to, *from, *new_to, *new_from;
  } rows[] = {{"from pinned to pageable", at, pinned.get(), at, pageable.data()},
              {"to pinned to pageable", pinned.get(), at, pageable.data(), at},
              {"from the device to pageable", at, at + 4, at, pageable.data()}};
  for (const auto& row : rows) {
    auto build = [&](Graph& g, void* to, void* from) {
      Conditional choice(g, condition_of(g, 0, 1), cudaGraphCondTypeIf);
      const auto node = Body(choice.bodies[0])->copy(to, from, 4);
      return Nodes{choice.node, node};
    };
    Graph first, second;
    const Nodes mine = build(first, row.to, row.from), theirs = build(second, row.new_to, row.new_from);
    Exec exec(first);
    ASK_CASE(std::string(row.name) + ", one node", ok,
             cudaGraphExecMemcpyNodeSetParams1D(exec, mine[1], row.new_to, row.new_from, 4, cudaMemcpyDefault));
    ASK_FACT(std::string(row.name) + ", the whole", std::string("Success"), update(exec, second, theirs));
    launch(exec);
  }
}

TEST_F(GraphConditionalRules, HostNodesBroughtIntoBodies) {
  // A child graph in a body, updated from one with something that a body may not hold.
  Graph plain, with_empty;
  plain.store(cell.get(), 1);
  with_empty.empty();
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  const auto child = Body(choice.bodies[0])->child(plain);
  Exec exec(graph);
  ASK_CASE("another type", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, child, with_empty));
  Graph two;
  two.store(cell.get(), 2);
  ASK_CASE("the same", ok, cudaGraphExecChildGraphNodeSetParams(exec, child, two));
  launch(exec);
  ASK_FACT("cell", 2, cell.read()[0]);
}

// The documentation wants conditions to be made and used in the same order.
TEST_F(GraphConditionalRules, ConditionsMadeInAnotherOrder) {
  auto build = [&](Graph& g, bool swapped, int value, unsigned first_default, unsigned second_default) {
    Condition conditions[2];
    for (int i : {0, 1}) conditions[i] = condition_of(g, (i == 0) != swapped ? first_default : second_default, 1);
    Conditional first(g, conditions[swapped], cudaGraphCondTypeIf);
    Conditional second(g, conditions[!swapped], cudaGraphCondTypeIf, 1, {first.node});
    Nodes among{first.node, second.node};
    for (int i : {0, 1}) {
      Body body((i == 0 ? first : second).bodies[0]);
      among.push_back(body->store(cell.get() + i, value));
    }
    return among;
  };
  build(graph, false, 1, 1, 0);
  Exec exec(graph);
  launch(exec);
  ASK_FACT("at first", std::string("1 0 0 0 0 0 0 0"), text_of(cell.read()));
  Graph same, swapped;
  const Nodes of_same = build(same, false, 2, 0, 1), of_swapped = build(swapped, true, 3, 0, 1);
  ASK_FACT("in the same order", std::string("Success"), update(exec, same, of_same));
  launch(exec);
  ASK_FACT("the second by default", std::string("1 2 0 0 0 0 0 0"), text_of(cell.read()));
  ASK_FACT("in the other order", refused("NotSupported", "1"), update(exec, swapped, of_swapped));
  launch(exec);
  ASK_FACT("as before", std::string("1 2 0 0 0 0 0 0"), text_of(cell.read()));
}

// Conditions that are made for another graph than their nodes are in: the order of all of the outermost graph counts.
TEST_F(GraphConditionalRules, ConditionsMadeForOtherGraphs) {
  enum class Made { outside_for_the_body, in_the_body_for_outside, one_of_each };
  // An outer node, and a pair one after the other: in its body, or after it.
  auto build = [&](Graph& g, Made made, bool swapped, int value) {
    Conditional outer(g, condition_of(g, 1, 1), cudaGraphCondTypeIf);
    const cudaGraph_t body = outer.bodies[0];
    const bool inside = made == Made::outside_for_the_body;
    Condition conditions[2];
    conditions[0] = condition_of(inside ? static_cast<cudaGraph_t>(g) : body, 1, 1);
    conditions[1] = condition_of(inside || made == Made::one_of_each ? static_cast<cudaGraph_t>(g) : body, 1, 1);
    const cudaGraph_t with_pair = inside ? body : static_cast<cudaGraph_t>(g);
    Conditional first(with_pair, conditions[swapped], cudaGraphCondTypeIf, 1, inside ? Nodes{} : Nodes{outer.node});
    Conditional second(with_pair, conditions[!swapped], cudaGraphCondTypeIf, 1, {first.node});
    Nodes among{outer.node, first.node, second.node};
    for (int i : {0, 1}) {
      Body in_pair((i == 0 ? first : second).bodies[0]);
      among.push_back(in_pair->store(cell.get() + i, value));
    }
    return among;
  };
  const std::pair<Made, const char*> ways[] = {{Made::outside_for_the_body, "made outside, used in the body"},
                                               {Made::in_the_body_for_outside, "made in the body, used outside"},
                                               {Made::one_of_each, "one of each"}};
  for (auto [made, name] : ways) {
    Graph first, same, swapped;
    build(first, made, false, 1);
    Exec exec(first);
    const Nodes of_same = build(same, made, false, 2), of_swapped = build(swapped, made, true, 3);
    ASK_FACT(std::string(name) + ", in the same order", std::string("Success"), update(exec, same, of_same));
    launch(exec);
    ASK_FACT(std::string(name) + ", cells", std::string("2 2 0 0 0 0 0 0"), text_of(cell.read()));
    ASK_FACT(std::string(name) + ", in the other order", refused("NotSupported", "2"),
             update(exec, swapped, of_swapped));
  }
}

// The same order of making, but for another graph.
TEST_F(GraphConditionalRules, ConditionsMadeForAnotherGraphThanBefore) {
  auto build = [&](Graph& g, bool for_body, int value) {
    Conditional outer(g, condition_of(g, 1, 1), cudaGraphCondTypeIf);
    const auto condition = condition_of(for_body ? outer.bodies[0] : static_cast<cudaGraph_t>(g), 1, 1);
    Conditional next(g, condition, cudaGraphCondTypeIf, 1, {outer.node});
    return Nodes{outer.node, next.node, Body(next.bodies[0])->store(cell.get(), value)};
  };
  for (bool for_body : {false, true}) {
    Graph first, second;
    build(first, for_body, 1);
    const Nodes theirs = build(second, !for_body, 2);
    Exec exec(first);
    ASK_FACT(for_body ? "for the body, then outside" : "outside, then for the body", std::string("Success"),
             update(exec, second, theirs));
    launch(exec);
    ASK_FACT("cell", 2, cell.read()[0]);
  }
}

// A child graph's condition is the second that the whole has, and the first of the graph that it is changed by.
TEST_F(GraphConditionalRules, ChildGraphsWithConditionalsBesideOthers) {
  auto fill = [&](cudaGraph_t g, int* where, int value) {
    Conditional choice(g, condition_of(g, 1, 1), cudaGraphCondTypeIf);
    Body(choice.bodies[0])->store(where, value);
  };
  Graph inner, with;
  const auto child = graph.child(inner);
  cudaGraph_t inside = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &inside));
  fill(graph, cell.get(), 1);
  fill(inside, cell.get() + 1, 1);
  fill(with, cell.get() + 1, 2);
  Exec exec(graph);
  ASK_CASE("by one with one condition", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, child, with));
  launch(exec);
  ASK_FACT("cells", std::string("1 1 0 0 0 0 0 0"), text_of(cell.read()));
  // One more condition before it, which its node's place then counts.
  Graph with_two;
  Conditional unused(with_two, condition_of(with_two, 1, 1), cudaGraphCondTypeIf);
  MUST(cudaGraphDestroyNode(unused.node));
  fill(with_two, cell.get() + 1, 3);
  TELL("by one whose condition is the second",
       guarded([&] { return cudaGraphExecChildGraphNodeSetParams(exec, child, with_two); }));
}

// A launch that is queued keeps what is in bodies; a failing update changes nothing there.
TEST_F(GraphConditionalRules, AQueuedLaunchKeepsWhatIsInBodies) {
  auto build = [&](Graph& g, int value, bool fits = true) {
    Conditional choice(g, condition_of(g, 1, 1), cudaGraphCondTypeIf);
    Body body(choice.bodies[0]);
    Graph inner;
    inner.store(cell.get() + 1, value);
    const auto node = body->store(cell.get(), value);
    const auto child = body->child(inner, {node});
    Nodes among{choice.node, node, child};
    const auto params = memset_params(cell.get() + 2, static_cast<unsigned>(value), 1, 4, fits ? 1 : 2, 4);
    among.emplace_back();
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&among.back(), choice.bodies[0], &child, 1, &params));
    return among;
  };
  const Nodes mine = build(graph, 1);
  Exec exec(graph);
  launch(exec);
  Graph second, failing;
  const Nodes theirs = build(second, 2), of_failing = build(failing, 3, false);
  Stream stream(cudaStreamNonBlocking);
  PinnedArray<int> seen(8);
  Gate gate;
  gate.close(stream);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaMemcpyAsync(seen.get(), cell.get(), 32, cudaMemcpyDeviceToHost, stream));
  ASK_FACT("the whole", std::string("Success"), update(exec, second, theirs));
  ASK_FACT("one that fails", refused("ParametersChanged", "3"), update(exec, failing, of_failing));
  KernelParams seven(store, cell.get() + 3, 7);
  ASK_CASE("one node", ok, cudaGraphExecKernelNodeSetParams(exec, mine[1], &seven.params));
  ASK_CASE("disabled", ok, cudaGraphNodeSetEnabled(exec, mine[3], 0));
  MUST(cudaGraphLaunch(exec, stream));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("the queued one", std::string("1 1 16843009 0 0 0 0 0"),
           text_of(std::vector<int>(seen.get(), seen.get() + 8)));
  ASK_FACT("the next", std::string("1 2 16843009 7 0 0 0 0"), text_of(cell.read()));
}

TEST_F(GraphConditionalRules, StatesInBodiesAcrossUpdates) {
  auto build = [&](Graph& g, int value) {
    Conditional choice(g, condition_of(g, 1, 1), cudaGraphCondTypeIf);
    Body body(choice.bodies[0]);
    const auto node = body->store(cell.get(), value);
    return Nodes{node, body->set(cell.get() + 1, static_cast<unsigned>(value), 4, {node})};
  };
  const Nodes mine = build(graph, 1);
  Exec exec(graph);
  for (auto node : mine) MUST(cudaGraphNodeSetEnabled(exec, node, 0));
  Graph other;
  const Nodes theirs = build(other, 2);
  ASK_FACT("updated", std::string("Success"), update(exec, other, theirs));
  unsigned enabled = 77;
  ASK_CASE("asked", ok, cudaGraphNodeGetEnabled(exec, mine[0], &enabled));
  ASK_FACT("enabled", 0u, enabled);
  launch(exec);
  ASK_FACT("cells", std::string("0 0 0 0 0 0 0 0"), text_of(cell.read()));
  for (auto node : mine) MUST(cudaGraphNodeSetEnabled(exec, node, 1));
  launch(exec);
  ASK_FACT("cells when enabled", std::string("2 33686018 0 0 0 0 0 0"), text_of(cell.read()));
}

// A child graph with a conditional node that was added when it was one.
TEST_F(GraphConditionalRules, ChildGraphsWithConditionals) {
  Graph inner;
  inner.store(cell.get(), 1);
  const auto child = graph.child(inner);
  cudaGraph_t body = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &body));
  auto fill = [&](cudaGraph_t g, int value, const Nodes& after) {
    Conditional choice(g, condition_of(g, 1, 1), cudaGraphCondTypeIf, 1, after);
    Body(choice.bodies[0])->store(cell.get() + 1, value);
  };
  Graph plain, with;
  plain.empty({plain.store(cell.get(), 2)});
  fill(with, 3, {with.store(cell.get(), 3)});
  {
    Exec exec(graph);
    ASK_CASE("a conditional for nothing", cudaErrorGraphExecUpdateFailure,
             cudaGraphExecChildGraphNodeSetParams(exec, child, with));
  }
  fill(body, 1, {nodes_of(body).at(0)});
  Exec exec(graph);
  ASK_CASE("none for a conditional", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(exec, child, plain));
  ASK_CASE("one for another", ok, cudaGraphExecChildGraphNodeSetParams(exec, child, with));
  launch(exec);
  ASK_FACT("cells", std::string("3 3 0 0 0 0 0 0"), text_of(cell.read()));
}

TEST_F(GraphConditionalRules, UpdatesOfNodesInBodies) {
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  Body body(choice.bodies[0]);
  const auto node = body->store(cell.get(), 1);
  const auto set = body->set(cell.get() + 1, 1, 4, {node});
  const auto copy = body->copy(cell.get() + 2, cell.get() + 4, 4, {set});
  Exec exec(graph);
  KernelParams two(store, cell.get(), 2);
  ASK_CASE("a kernel", ok, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  const auto params = memset_params(cell.get() + 1, 2, 1, 4);
  ASK_CASE("a set", ok, cudaGraphExecMemsetNodeSetParams(exec, set, &params));
  ASK_CASE("a copy", ok,
           cudaGraphExecMemcpyNodeSetParams1D(exec, copy, cell.get() + 3, cell.get(), 4, cudaMemcpyDefault));
  launch(exec);
  ASK_FACT("cells", std::string("2 33686018 0 2 0 0 0 0"), text_of(cell.read()));
  unsigned enabled = 77;
  ASK_CASE("asked whether enabled", ok, cudaGraphNodeGetEnabled(exec, node, &enabled));
  ASK_FACT("enabled", 1u, enabled);
  ASK_CASE("disabled", ok, cudaGraphNodeSetEnabled(exec, node, 0));
  MUST(cudaMemset(cell.get(), 0, cell.bytes()));
  launch(exec);
  ASK_FACT("cells with the kernel disabled", std::string("0 33686018 0 0 0 0 0 0"), text_of(cell.read()));
}

}  // namespace
