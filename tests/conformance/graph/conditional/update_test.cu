// Updates of executable graphs with conditional nodes.
#include "graph/conditional/conditional_support.h"

namespace {

class GraphConditionalUpdates : public GraphConditionalRules {
 protected:
  struct Made {
    Graph graph;
    std::unique_ptr<Conditional> choice;
    Nodes among;
  };
  // A conditional node with `kernels` stores in each body.
  void build(Made& made, cudaGraphConditionalNodeType type, unsigned size, unsigned value, int stored, int kernels,
             unsigned flags = 1) {
    made.choice = std::make_unique<Conditional>(made.graph, condition_of(made.graph, value, flags), type, size);
    made.among = {made.choice->node};
    for (auto graph : made.choice->bodies) {
      Body body(graph);
      Nodes last;
      for (int i = 0; i < kernels; ++i) last = {body->store(cell.get() + i, stored + i, last)};
      for (auto node : nodes_of(graph)) made.among.push_back(node);
    }
  }
  std::string cells() {
    auto all = cell.read();
    return text_of(std::vector<int>(all.begin(), all.begin() + 2));
  }
};

TEST_F(GraphConditionalUpdates, TakeBodiesAndDefaultsOfAnotherGraph) {
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

TEST_F(GraphConditionalUpdates, RefuseOtherTypesSizesAndBodies) {
  Made first;
  build(first, cudaGraphCondTypeIf, 1, 1, 1, 1);
  Exec exec(first.graph);
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

// Instantiation refuses such copies in bodies, but an update accepts them.
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
  // A child graph in a body, updated from one with a node that a body may not contain.
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

// The documentation requires conditions to be created and used in the same order.
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

// Conditions created for another graph than that of their nodes: the order within the whole outermost graph counts.
TEST_F(GraphConditionalRules, ConditionsMadeForOtherGraphs) {
  enum class Made { outside_for_the_body, in_the_body_for_outside, one_of_each };
  // An outer node and two consecutive ones: in its body, or after it.
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

// Created in the same order, but for another graph.
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

// The child graph's condition is the second of the whole graph, and the first of the graph that updates it.
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
  // One more condition before it, which changes its node's index.
  Graph with_two;
  Conditional unused(with_two, condition_of(with_two, 1, 1), cudaGraphCondTypeIf);
  MUST(cudaGraphDestroyNode(unused.node));
  fill(with_two, cell.get() + 1, 3);
  TELL("by one whose condition is the second",
       guarded([&] { return cudaGraphExecChildGraphNodeSetParams(exec, child, with_two); }));
}

// A queued launch keeps the bodies that it was queued with; a failing update changes nothing in them.
TEST_F(GraphConditionalRules, AQueuedLaunchKeepsItsBodies) {
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

// A child graph to which a conditional node was added after it became one.
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
