// Updating an executable graph from another graph: child graphs, disabled nodes, and user objects.
#include "graph/update/update_support.h"

namespace {

TEST_F(GraphUpdate, ChildGraphs) {
  auto inner = [&](Graph& g, int value, int kernels) {
    Nodes last;
    for (int i = 0; i < kernels; ++i) last = {g.store(cell.get() + i, value + i, last)};
  };
  Graph a, b, c;
  inner(a, 1, 2), inner(b, 11, 2), inner(c, 21, 3);
  graph.child(a, {graph.empty()});
  Exec exec(graph);
  other.child(b, {other.empty()});
  ASK_FACT("the same inside", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ("11 12", cells(2));
  Graph third;
  const auto child = third.child(c, {third.empty()});
  cudaGraph_t body = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &body));
  Nodes among = nodes_of(third);
  for (auto node : nodes_of(body)) among.push_back(node);
  ASK_FACT("one node more inside", refused("TopologyChanged"), update(exec, third, among));
  Graph d, fourth;
  d.set(cell.get(), 9, 4, {d.store(cell.get() + 1, 9)});
  const auto changed = fourth.child(d, {fourth.empty()});
  MUST(cudaGraphChildGraphNodeGetGraph(changed, &body));
  among = nodes_of(fourth);
  for (auto node : nodes_of(body)) among.push_back(node);
  ASK_FACT("another type inside", refused("NodeTypeChanged", "3"), update(exec, fourth, among));
  launch(exec);
  EXPECT_EQ("11 12", cells(2));
}

// A graph with one node of each type that changes here: at the top, in a child graph, and in a child graph of that.
struct Nest {
  Graph graph, middle, deepest;
  Nodes among;

  // The last memset has two rows where requested: a memset of one row cannot become one.
  Nest(int* at, int value, cudaEvent_t event, bool fits = true) {
    fill(deepest, at + 10, value, event, fits);
    deepest.empty();
    fill(middle, at + 5, value, event, true);
    middle.child(deepest);
    fill(graph, at, value, event, true);
    const auto child = graph.child(middle);
    list(graph);
    cudaGraph_t inside = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(child, &inside));
    list(inside);
    EXPECT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(nodes_of(inside).back(), &inside));
    list(inside);
  }

 private:
  static void fill(Graph& g, int* at, int value, cudaEvent_t event, bool fits) {
    const auto kernel = g.store(at, value);
    const auto copy = g.copy(at + 1, at, 4, {kernel});
    const auto record = g.record(event, {g.kernel({copy}, store_sum, at + 2, value, value, 0)});
    const auto params = memset_params(at + 3, static_cast<unsigned>(value), 1, 4, fits ? 1 : 2, 4);
    cudaGraphNode_t set = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&set, g, &record, 1, &params));
    g.wait(event, {set});
  }
  void list(cudaGraph_t g) {
    for (auto node : nodes_of(g)) among.push_back(node);
  }
};

std::string nest_cells(int value) {
  std::string one = std::to_string(value) + " " + std::to_string(value) + " " + std::to_string(2 * value) + " " +
                    std::to_string(value * 0x1010101) + " 0";
  return one + " " + one + " " + one + " 0";
}

TEST_F(GraphUpdate, AFailedUpdateChangesNothingInside) {
  Event one, two, three;
  Nest first(cell.get(), 1, one), failing(cell.get(), 2, two, false), second(cell.get(), 3, three);
  Exec exec(first.graph);
  ASK_FACT("what fails is in the deepest graph", refused("ParametersChanged", "18"),
           update(exec, failing.graph, failing.among));
  launch(exec);
  ASK_FACT("as before", nest_cells(1), text_of(cell.read()));
  float ms = 0;
  ASK_CASE("the event that was not taken", cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, two, two));
  ASK_CASE("the event of before", cudaSuccess, cudaEventElapsedTime(&ms, one, one));
  ASK_FACT("one that fits", std::string("Success"), update(exec, second.graph, second.among));
  launch(exec);
  ASK_FACT("taken", nest_cells(3), text_of(cell.read()));
  ASK_CASE("the new event", cudaSuccess, cudaEventElapsedTime(&ms, three, three));
}

TEST_F(GraphUpdate, AQueuedLaunchKeepsItsChildGraphs) {
  Event one, two, three;
  Nest first(cell.get(), 1, one), second(cell.get(), 2, two), failing(cell.get(), 3, three, false);
  Exec exec(first.graph);
  launch(exec);
  Stream stream(cudaStreamNonBlocking);
  PinnedArray<int> seen(16);
  Gate gate;
  gate.close(stream);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaMemcpyAsync(seen.get(), cell.get(), 64, cudaMemcpyDeviceToHost, stream));
  ASK_FACT("the whole while a launch is queued", std::string("Success"), update(exec, second.graph, second.among));
  ASK_FACT("one that fails", refused("ParametersChanged", "18"), update(exec, failing.graph, failing.among));
  KernelParams seven(store, cell.get() + 15, 7);
  ASK_CASE("one node of the deepest graph", cudaSuccess,
           cudaGraphExecKernelNodeSetParams(exec, first.among.at(14), &seven.params));
  MUST(cudaGraphLaunch(exec, stream));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("the queued one", nest_cells(1), text_of(std::vector<int>(seen.get(), seen.get() + 16)));
  auto cells = cell.read();
  ASK_FACT("the next, by its own kernel", 7, cells[15]);
  ASK_FACT("the next, with what the node before left", 1, cells[10]);
  cells[10] = cells[11] = 2, cells[15] = 0;
  ASK_FACT("the next", nest_cells(2), text_of(cells));
  float ms = 0;
  ASK_CASE("the event of the update", cudaSuccess, cudaEventElapsedTime(&ms, two, two));
  ASK_CASE("the event of the failed one", cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, three, three));
}

// Forty nested graphs, with a kernel or an empty node in the innermost. Each has two more nodes, created in either
// order.
struct Depths {
  Graph graph;
  cudaGraphNode_t deepest = nullptr;

  Depths(int* at, int value, bool other_order = false, bool empty = false) {
    auto inner = std::make_unique<Graph>();
    deepest = empty ? inner->empty() : inner->store(at, value);
    for (int i = 0; i < 40; ++i) {
      auto around = i < 39 ? std::make_unique<Graph>() : nullptr;
      Graph& outer = around ? *around : graph;
      auto params = moved(inner->release());
      cudaGraphNode_t child = nullptr;
      EXPECT_EQ(cudaSuccess, cudaGraphAddNode(&child, outer, nullptr, nullptr, 0, &params));
      const auto first = outer.empty(), second = outer.empty();
      EXPECT_EQ(cudaSuccess, other_order ? outer.edge(second, first) : outer.edge(first, second));
      inner = std::move(around);
    }
  }
};

TEST_F(GraphUpdate, GraphsInsideGraphsInsideGraphs) {
  Depths first(cell.get(), 1), same(cell.get(), 2), other_order(cell.get(), 3, true),
      other_type(cell.get(), 4, false, true);
  Exec exec(first.graph);
  ASK_FACT("built the same way", std::string("Success"), update(exec, same.graph));
  launch(exec);
  EXPECT_EQ("2", cells(1));
  ASK_FACT("built in another order", std::string("Success"), update(exec, other_order.graph));
  launch(exec);
  EXPECT_EQ("3", cells(1));
  ASK_FACT("another type in the last", refused("NodeTypeChanged", "0"),
           update(exec, other_type.graph, {other_type.deepest}));
  launch(exec);
  EXPECT_EQ("3", cells(1));
}

TEST_F(GraphUpdate, FromGraphsInsideOthers) {
  graph.store(cell.get(), 1);
  Exec exec(graph);
  Graph inner;
  inner.store(cell.get(), 2);
  const auto child = other.child(inner);
  cudaGraph_t inside = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &inside));
  ASK_FACT("from a child graph", std::string("cudaErrorInvalidValue Success node - from -"), update(exec, inside));
  launch(exec);
  ASK_FACT("cells", std::string("1"), cells(1));
  Graph parent;
  const auto node = parent.child(graph);
  Exec of_parent(parent);
  ASK_CASE("a child graph by another's", cudaSuccess, cudaGraphExecChildGraphNodeSetParams(of_parent, node, inside));
  MUST(cudaMemset(cell.get(), 0, 4));
  MUST(cudaDeviceSynchronize());
  launch(of_parent);
  ASK_FACT("cells of the child", std::string("2"), cells(1));
  Graph captured;
  captured.store(cell.get(), 3);
  Stream stream(cudaStreamNonBlocking);
  MUST(cudaStreamBeginCaptureToGraph(stream, captured, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal));
  ASK_FACT("from a graph that is captured into", std::string("Success"), update(exec, captured));
  cudaGraph_t end = nullptr;
  MUST(cudaStreamEndCapture(stream, &end));
  launch(exec);
  ASK_FACT("cells of the capture", std::string("3"), cells(1));
}

// Disabled copies, memsets and kernels whose function changes; in a child graph; across failing updates.
TEST_F(GraphUpdate, StatesAcrossUpdates) {
  auto build = [&](Graph& g, int value, bool same_function = true, bool fits = true) {
    Graph inner;
    inner.store(cell.get() + 4, value);
    const auto kernel = same_function ? g.store(cell.get(), value) : g.kernel({}, store_sum, cell.get(), value, 1, 1);
    const auto set = g.set(cell.get() + 1, static_cast<unsigned>(value), 4, {kernel});
    const auto copy =
        fits ? g.copy(cell.get() + 2, cell.get() + 8 + value, 4, {set}) : g.set(cell.get() + 2, 0, 4, {set});
    return Nodes{kernel, set, copy, g.child(inner, {copy})};
  };
  const std::vector<int> seven(8, 7);
  MUST(cudaMemcpy(cell.get() + 8, seven.data(), 32, cudaMemcpyHostToDevice));
  Nodes nodes = build(graph, 1);
  cudaGraph_t inside = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(nodes[3], &inside));
  nodes[3] = nodes_of(inside).at(0);
  Exec exec(graph);
  auto states = [&] {
    std::vector<unsigned> all(4, 77);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(cudaSuccess, cudaGraphNodeGetEnabled(exec, nodes[i], &all[i]));
    return text_of(all);
  };
  auto run_it = [&] {
    EXPECT_EQ(cudaSuccess, cudaMemset(cell.get(), 0, 20));
    launch(exec);
    return cells(5);
  };
  for (auto node : nodes) MUST(cudaGraphNodeSetEnabled(exec, node, 0));
  Graph second, third, failing;
  build(second, 2), build(third, 3, false), build(failing, 4, true, false);
  ASK_FACT("updated while all are disabled", std::string("Success"), update(exec, second));
  ASK_FACT("states", std::string("0 0 0 0"), states());
  ASK_FACT("cells", std::string("0 0 0 0 0"), run_it());
  ASK_FACT("another function while disabled", std::string("Success"), update(exec, third));
  ASK_FACT("states with another function", std::string("0 0 0 0"), states());
  ASK_FACT("cells with another function", std::string("0 0 0 0 0"), run_it());
  ASK_FACT("a failing update", refused("NodeTypeChanged", "2"), update(exec, failing));
  ASK_FACT("states after it", std::string("0 0 0 0"), states());
  for (auto node : nodes) MUST(cudaGraphNodeSetEnabled(exec, node, 1));
  ASK_FACT("enabled again", std::string("5 50529027 7 0 3"), run_it());
  MUST(cudaGraphNodeSetEnabled(exec, nodes[0], 0));
  KernelParams nine(store, cell.get(), 9);
  ASK_CASE("one node's function while disabled", cudaSuccess,
           cudaGraphExecKernelNodeSetParams(exec, nodes[0], &nine.params));
  ASK_FACT("states after one node's", std::string("0 1 1 1"), states());
  ASK_FACT("cells after one node's", std::string("0 50529027 7 0 3"), run_it());
  MUST(cudaGraphNodeSetEnabled(exec, nodes[0], 1));
  ASK_FACT("cells at last", std::string("9 50529027 7 0 3"), run_it());
}

TEST_F(GraphUpdate, UserObjectsOfTheNewGraph) {
  graph.store(cell.get(), 1);
  auto exec = std::make_unique<Exec>(graph);
  std::atomic<int> gone{0};
  cudaUserObject_t object = nullptr;
  {
    Graph short_lived;
    short_lived.store(cell.get(), 2);
    MUST(cudaUserObjectCreate(&object, &gone, count_call, 1, cudaUserObjectNoDestructorSync));
    MUST(cudaGraphRetainUserObject(short_lived, object, 1, cudaGraphUserObjectMove));
    ASK_FACT("with an object", std::string("Success"), update(*exec, short_lived));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASK_FACT("destroyed with the graph", 0, gone.load());
  launch(*exec);
  exec.reset();
  EXPECT_TRUE(eventually([&] { return gone.load() == 1; }));
}

// A queued launch keeps its user objects. A child graph has its own, which are released when it alone is updated.
TEST_F(GraphUpdate, UserObjectsInFlightAndInside) {
  std::atomic<int> gone[5] = {};
  auto hold = [&](cudaGraph_t graph, int number) {
    cudaUserObject_t object = nullptr;
    EXPECT_EQ(cudaSuccess, cudaUserObjectCreate(&object, &gone[number], count_call, 1, cudaUserObjectNoDestructorSync));
    EXPECT_EQ(cudaSuccess, cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  };
  auto states = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::string all;
    for (auto& each : gone) all += std::to_string(each) + " ";
    return all;
  };
  // Each graph has a child graph with a user object of its own.
  auto made = [&](int number) {
    auto outer = std::make_unique<Graph>();
    Graph empty;
    const auto child = outer->child(empty);
    cudaGraph_t inside = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphChildGraphNodeGetGraph(child, &inside));
    Graph body(inside);
    body.store(cell.get(), number);
    (void)body.release();
    hold(*outer, number), hold(inside, number + 1);
    return outer;
  };
  auto first = made(0);
  const auto child = nodes_of(*first).at(0);
  auto exec = std::make_unique<Exec>(*first);
  Stream stream(cudaStreamNonBlocking);
  auto gate = std::make_unique<Gate>();
  gate->close(stream);
  MUST(cudaGraphLaunch(*exec, stream));
  {
    auto second = made(2);
    ASK_FACT("update", std::string("Success"), update(*exec, *second));
    Graph third;
    third.store(cell.get(), 4);
    hold(third, 4);
    ASK_CASE("the child", cudaSuccess, cudaGraphExecChildGraphNodeSetParams(*exec, child, third));
  }
  first.reset();
  ASK_FACT("while a launch is queued", std::string("0 0 0 0 0 "), states());
  gate->open();
  MUST(cudaStreamSynchronize(stream));
  TELL("when it has run", states());
  MUST(cudaGraphLaunch(*exec, stream));
  MUST(cudaStreamSynchronize(stream));
  EXPECT_TRUE(eventually([&] { return gone[0] == 1 && gone[1] == 1 && gone[3] == 1; }));
  ASK_FACT("after the next", std::string("1 1 0 1 0 "), states());
  exec.reset();
  EXPECT_TRUE(eventually([&] { return gone[2] == 1 && gone[4] == 1; }));
}

// Whether the user objects of the previous graph are released.
TEST_F(GraphUpdate, UserObjectsOfFormerGraphs) {
  std::atomic<int> gone[3] = {};
  auto made = [&](int number) {
    auto graph = std::make_unique<Graph>();
    graph->store(cell.get(), number);
    cudaUserObject_t object = nullptr;
    EXPECT_EQ(cudaSuccess, cudaUserObjectCreate(&object, &gone[number], count_call, 1, cudaUserObjectNoDestructorSync));
    EXPECT_EQ(cudaSuccess, cudaGraphRetainUserObject(*graph, object, 1, cudaGraphUserObjectMove));
    return graph;
  };
  auto states = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return std::to_string(gone[0]) + " " + std::to_string(gone[1]) + " " + std::to_string(gone[2]);
  };
  auto first = made(0);
  auto exec = std::make_unique<Exec>(*first);
  first.reset();
  ASK_FACT("instantiated", std::string("0 0 0"), states());
  for (int number : {1, 2}) {
    auto next = made(number);
    ASK_FACT("update", std::string("Success"), update(*exec, *next));
  }
  EXPECT_TRUE(eventually([&] { return gone[0] == 1 && gone[1] == 1; }));
  ASK_FACT("updated twice", std::string("1 1 0"), states());
  launch(*exec);
  ASK_FACT("launched", std::string("1 1 0"), states());
  exec.reset();
  EXPECT_TRUE(eventually([&] { return gone[2] == 1; }));
}

}  // namespace
