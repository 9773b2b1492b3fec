// An executable graph updated from another graph: what pairs up, what may change, what an answer names.
#include "graph_update_support.h"

#include "../pairing_rule.h"

#include <cooperative_groups.h>

#include <random>

namespace {

__global__ void store_shape(int* where) {
  where[0] = gridDim.x;
  where[1] = blockDim.x;
  where[2] = blockDim.y;
}

__global__ void store_sum(int* where, int a, int b, int c) { *where = a + b + c; }

__global__ void store_in_grid(int* where, int value) {
  if (cooperative_groups::this_grid().thread_rank() == 0) *where = value;
}

__global__ void synchronize_and_store(int* where, int value) {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) where[blockIdx.x] = value;
}

class GraphUpdate : public Graphs {
 protected:
  DeviceArray<int> cell{16};
  Graph other;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
};

class HazardGraphUpdate : public GraphUpdate {};

TEST_F(GraphUpdate, AGraphUpdatesWhatItMade) {
  const auto first = graph.store(cell.get(), 1);
  graph.store(cell.get() + 1, 2, {first});
  Exec exec(graph);
  ASK_FACT("the same graph", std::string("Success"), update(exec, graph));
  launch(exec);
  EXPECT_EQ("1 2", cells(2));
}

TEST_F(GraphUpdate, AnEmptyGraphUpdatesAnEmptyOne) {
  Exec exec(graph);
  ASK_FACT("empty from empty", std::string("Success"), update(exec, other));
  launch(exec);
}

TEST_F(GraphUpdate, ArgumentsAreChecked) {
  graph.store(cell.get(), 1);
  Exec exec(graph);
  cudaGraphExecUpdateResultInfo info{};
  info.result = cudaGraphExecUpdateErrorNotSupported;
  ASK(cudaErrorInvalidValue, cudaGraphExecUpdate(nullptr, graph, &info));
  ASK_FACT("result without an executable graph", 6, static_cast<int>(info.result));
  info.result = cudaGraphExecUpdateErrorNotSupported;
  ASK(cudaErrorInvalidValue, cudaGraphExecUpdate(exec, nullptr, &info));
  ASK_FACT("result without a graph", 6, static_cast<int>(info.result));
}

TEST_F(GraphUpdate, TheResultMayBeLeftOut) {
  graph.store(cell.get(), 1);
  Exec exec(graph);
  other.store(cell.get(), 2);
  ASK(cudaSuccess, cudaGraphExecUpdate(exec, other, nullptr));
  launch(exec);
  EXPECT_EQ("2", cells(1));
  other.empty();
  ASK_CASE("that fails", cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, other, nullptr));
}

TEST_F(GraphUpdate, ANewGraphsKernelArgumentsAreTaken) {
  const auto a = graph.store(cell.get(), 1);
  graph.store(cell.get() + 1, 2, {a});
  Exec exec(graph);
  const auto b = other.store(cell.get() + 2, 10);
  other.store(cell.get() + 3, 20, {b});
  ASK_FACT("other arguments", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ("0 0 10 20", cells(4));
  Exec again(graph);
  launch(again);
  EXPECT_EQ("1 2 10 20", cells(4)) << "the first graph is as it was";
}

TEST_F(GraphUpdate, TheGraphMayGoAfterwards) {
  graph.store(cell.get(), 1);
  Exec exec(graph);
  {
    Graph short_lived;
    short_lived.store(cell.get(), 5);
    ASK_FACT("from a graph that goes", std::string("Success"), update(exec, short_lived));
  }
  launch(exec);
  EXPECT_EQ("5", cells(1));
}

TEST_F(GraphUpdate, GridsBlocksAndSharedMemoryMayChange) {
  KernelParams before(store_shape, cell.get());
  cudaGraphNode_t node;
  MUST(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &before.params));
  Exec exec(graph);
  before.params.gridDim = 3;
  before.params.blockDim = dim3(4, 5);
  before.params.sharedMemBytes = 1024;
  MUST(cudaGraphAddKernelNode(&node, other, nullptr, 0, &before.params));
  ASK_FACT("another shape", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ("3 4 5", cells(3));
}

TEST_F(GraphUpdate, TheFunctionMayChange) {
  graph.store(cell.get(), 1);
  Exec exec(graph);
  other.kernel({}, store_sum, cell.get() + 1, 1, 2, 3);
  ASK_FACT("another function", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ("0 6", cells(2));
  Graph third;
  third.kernel({}, nothing);
  ASK_FACT("a function without parameters", std::string("Success"), update(exec, third));
  ASK_FACT("back", std::string("Success"), update(exec, graph));
  launch(exec);
  EXPECT_EQ("1 6", cells(2));
}

TEST_F(GraphUpdate, TheFirstGraphsNodesStillNameTheNodes) {
  const auto mine = graph.store(cell.get(), 1);
  Exec exec(graph);
  const auto theirs = other.store(cell.get(), 2);
  ASK_FACT("update", std::string("Success"), update(exec, other));
  KernelParams by_first(store, cell.get(), 3), by_second(store, cell.get(), 4);
  ASK(cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, mine, &by_first.params));
  ASK(cudaErrorInvalidValue, cudaGraphExecKernelNodeSetParams(exec, theirs, &by_second.params));
  launch(exec);
  EXPECT_EQ("3", cells(1));
}

TEST_F(GraphUpdate, OtherTopologies) {
  auto check = [&](const char* name, const std::string& expected, auto build) {
    Graph a, b;
    build(a, b);
    Exec exec(a);
    ASK_FACT(name, expected, update(exec, b));
  };
  auto fill = [](Graph& g, int count) {
    Nodes nodes;
    for (int i = 0; i < count; ++i) nodes.push_back(g.empty());
    return nodes;
  };
  check("one more", refused("TopologyChanged"), [&](Graph& a, Graph& b) { fill(a, 2), fill(b, 3); });
  check("one fewer", refused("TopologyChanged"), [&](Graph& a, Graph& b) { fill(a, 3), fill(b, 2); });
  check("none", refused("TopologyChanged"), [&](Graph& a, Graph&) { fill(a, 3); });
  check("from none", refused("TopologyChanged"), [&](Graph&, Graph& b) { fill(b, 3); });
  check("chain to two roots", refused("TopologyChanged", "0"), [&](Graph& a, Graph& b) {
    a.empty({a.empty()});
    fill(b, 2);
  });
  check("two roots to chain", refused("TopologyChanged"), [&](Graph& a, Graph& b) {
    fill(a, 2);
    b.empty({b.empty()});
  });
  check("fork to chain", refused("TopologyChanged"), [&](Graph& a, Graph& b) {
    auto root = a.empty();
    a.empty({root}), a.empty({root});
    b.empty({b.empty({b.empty()})});
  });
  check("chain to fork", refused("TopologyChanged", "1"), [&](Graph& a, Graph& b) {
    a.empty({a.empty({a.empty()})});
    auto root = b.empty();
    b.empty({root}), b.empty({root});
  });
  check("join to chain", refused("TopologyChanged", "2"), [&](Graph& a, Graph& b) {
    auto nodes = fill(a, 2);
    a.empty(nodes);
    b.empty({b.empty({b.empty()})});
  });
  check("chain to join", refused("TopologyChanged", "2"), [&](Graph& a, Graph& b) {
    a.empty({a.empty({a.empty()})});
    auto nodes = fill(b, 2);
    b.empty(nodes);
  });
  check("one last node to three", refused("TopologyChanged", "2"), [&](Graph& a, Graph& b) {
    a.empty({a.empty({a.empty({a.empty()})})});
    auto root = b.empty();
    b.empty({root}), b.empty({root}), b.empty({root});
  });
  check("a short cut more", refused("TopologyChanged", "2"), [&](Graph& a, Graph& b) {
    a.empty({a.empty({a.empty()})});
    auto first = b.empty(), second = b.empty({first});
    b.empty({second, first});
  });
  check("an edge to another root", refused("TopologyChanged", "1"), [&](Graph& a, Graph& b) {
    auto x = fill(a, 2);
    a.empty({x[0]}), a.empty({x[1]});
    auto y = fill(b, 2);
    b.empty({y[0]}), b.empty({y[0]});
  });
  check("diamond to two paths", refused("TopologyChanged", "3", "1"), [&](Graph& a, Graph& b) {
    auto x = fill(a, 2);
    auto l = a.empty({x[0], x[1]}), r = a.empty({x[0], x[1]});
    a.empty({l, r});
    auto y = fill(b, 2);
    auto m = b.empty({y[0], y[1]}), s = b.empty({y[1], y[0]});
    b.empty({m, s});
  });
}

TEST_F(GraphUpdate, EdgesThatStartEarlyArePartOfTheTopology) {
  const auto a = graph.store(cell.get(), 1), b = graph.store(cell.get() + 1, 1);
  MUST(graph.edge(a, b, &programmatic));
  Exec exec(graph);
  const auto c = other.store(cell.get(), 2), d = other.store(cell.get() + 1, 2);
  MUST(other.edge(c, d));
  ASK_FACT("a plain edge for a programmatic one", refused("TopologyChanged", "1", "0"), update(exec, other));
  Graph third;
  const auto e = third.store(cell.get(), 3), f = third.store(cell.get() + 1, 3);
  MUST(third.edge(e, f, &programmatic));
  ASK_FACT("programmatic again", std::string("Success"), update(exec, third));
  launch(exec);
  EXPECT_EQ("3 3", cells(2));
  Exec plain(other);
  ASK_FACT("a programmatic edge for a plain one", refused("TopologyChanged", "1", "0"), update(plain, third));
}

// Which node of the second graph each node of the first is paired with: disabled, the other's cell stays empty.
class GraphPairing : public GraphUpdate {
 protected:
  using Build = std::function<Nodes(Graph&)>;  // nodes; node i stores into cell i

  cudaGraphNode_t mark(Graph& g, int i, const Nodes& after = {}) { return g.store(cell.get() + i, i + 1, after); }

  std::string pairs(const Build& first, const Build& second) {
    Graph a, b;
    const Nodes mine = first(a), theirs = second(b);
    Exec exec(a);
    const std::string answer = update(exec, b, theirs);
    if (answer != "Success") return answer;
    std::string text;
    for (size_t i = 0; i < mine.size(); ++i) {
      EXPECT_EQ(cudaSuccess, cudaMemset(cell.get(), 0, cell.bytes()));
      EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
      EXPECT_EQ(cudaSuccess, cudaGraphNodeSetEnabled(exec, mine[i], 0));
      launch(exec);
      EXPECT_EQ(cudaSuccess, cudaGraphNodeSetEnabled(exec, mine[i], 1));
      const auto values = cell.read();
      std::string partner;
      for (size_t j = 0; j < mine.size(); ++j) {
        if (values[j] == 0) partner += std::to_string(j);
      }
      text += (text.empty() ? "" : " ") + (partner.empty() ? "?" : partner);
    }
    return text;
  }
};

TEST_F(GraphPairing, RootsInTheOrderOfTheirCreation) {
  auto build = [&](Graph& g) { return Nodes{mark(g, 0), mark(g, 1), mark(g, 2)}; };
  ASK_FACT("three roots", std::string("0 1 2"), pairs(build, build));
}

TEST_F(GraphPairing, TheOrderOfTheEdgesIntoANodeCounts) {
  auto diamond = [&](Graph& g) {
    auto a = mark(g, 0), b = mark(g, 1, {a}), c = mark(g, 2, {a});
    return Nodes{a, b, c, mark(g, 3, {b, c})};
  };
  ASK_FACT("diamond to itself", std::string("0 1 2 3"), pairs(diamond, diamond));
  ASK_FACT("the middle created the other way round", std::string("0 1 2 3"), pairs(diamond, [&](Graph& g) {
             auto a = mark(g, 0), c = mark(g, 2, {a}), b = mark(g, 1, {a});
             return Nodes{a, b, c, mark(g, 3, {b, c})};
           }));
  ASK_FACT("the last edges the other way round", std::string("0 2 1 3"), pairs(diamond, [&](Graph& g) {
             auto a = mark(g, 0), b = mark(g, 1, {a}), c = mark(g, 2, {a});
             return Nodes{a, b, c, mark(g, 3, {c, b})};
           }));
  ASK_FACT("all created backwards", std::string("0 1 2 3"), pairs(diamond, [&](Graph& g) {
             auto d = mark(g, 3), c = mark(g, 2), b = mark(g, 1), a = mark(g, 0);
             EXPECT_EQ(cudaSuccess, g.edge(b, d));
             EXPECT_EQ(cudaSuccess, g.edge(c, d));
             EXPECT_EQ(cudaSuccess, g.edge(a, b));
             EXPECT_EQ(cudaSuccess, g.edge(a, c));
             return Nodes{a, b, c, d};
           }));
}

TEST_F(GraphPairing, TheOrderOfTheSinksCounts) {
  auto fork = [&](Graph& g) {
    auto a = mark(g, 0);
    return Nodes{a, mark(g, 1, {a}), mark(g, 2, {a})};
  };
  ASK_FACT("fork to itself", std::string("0 1 2"), pairs(fork, fork));
  ASK_FACT("sinks created the other way round", std::string("0 2 1"), pairs(fork, [&](Graph& g) {
             auto a = mark(g, 0), c = mark(g, 2, {a}), b = mark(g, 1, {a});
             return Nodes{a, b, c};
           }));
  ASK_FACT("a sink that stopped being one and is one again", std::string("0 2 1"), pairs(fork, [&](Graph& g) {
             auto a = mark(g, 0), b = mark(g, 1, {a}), c = mark(g, 2, {a});
             auto x = mark(g, 3, {b});
             EXPECT_EQ(cudaSuccess, cudaGraphDestroyNode(x));
             return Nodes{a, b, c};
           }));
  ASK_FACT("by an edge that was removed", std::string("0 2 1"), pairs(fork, [&](Graph& g) {
             auto a = mark(g, 0), b = mark(g, 1, {a}), c = mark(g, 2, {a});
             EXPECT_EQ(cudaSuccess, g.edge(b, c));
             EXPECT_EQ(cudaSuccess, cudaGraphRemoveDependencies(g, &b, &c, nullptr, 1));
             return Nodes{a, b, c};
           }));
}

TEST_F(GraphPairing, UnconnectedPartsInAnotherOrder) {
  auto two_chains = [&](Graph& g) {
    auto a = mark(g, 0), b = mark(g, 1, {a}), c = mark(g, 2), d = mark(g, 3, {c});
    return Nodes{a, b, c, d};
  };
  ASK_FACT("interleaved", std::string("0 1 2 3"), pairs(two_chains, [&](Graph& g) {
             auto c = mark(g, 2), a = mark(g, 0), b = mark(g, 1, {a}), d = mark(g, 3, {c});
             return Nodes{a, b, c, d};
           }));
  ASK_FACT("the second chain's end first", std::string("2 3 0 1"), pairs(two_chains, [&](Graph& g) {
             auto a = mark(g, 0), c = mark(g, 2), d = mark(g, 3, {c}), b = mark(g, 1, {a});
             return Nodes{a, b, c, d};
           }));
}

TEST_F(GraphPairing, ShapesThatAreTheSameButNotInOrder) {
  // A chain of two and a lone node: the lone one first in one graph, last in the other.
  auto first = [&](Graph& g) {
    auto lone = mark(g, 0), a = mark(g, 1), b = mark(g, 2, {a});
    return Nodes{lone, a, b};
  };
  ASK_FACT("lone node first, then last", refused("TopologyChanged", "0"), pairs(first, [&](Graph& g) {
             auto a = mark(g, 1), b = mark(g, 2, {a}), lone = mark(g, 0);
             return Nodes{lone, a, b};
           }));
  ASK_FACT("the chain's start before the lone node", std::string("0 1 2"), pairs(first, [&](Graph& g) {
             auto a = mark(g, 1), lone = mark(g, 0), b = mark(g, 2, {a});
             return Nodes{lone, a, b};
           }));
}

// One random graph built twice, its nodes and edges added in two orders.
TEST_F(GraphPairing, RandomOrders) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    auto below = [&](size_t limit) { return random() % limit; };
    const int count = 3 + static_cast<int>(below(4));
    std::vector<std::pair<int, int>> edges;
    for (int to = 1; to < count; ++to) {
      for (int from = 0; from < to; ++from) {
        if (below(5) < 2) edges.emplace_back(from, to);
      }
    }
    pairing::Order orders[2];
    auto build = [&](pairing::Order& order, bool moved) {
      return [&, moved](Graph& g) {
        std::vector<int> created(count);
        for (int i = 0; i < count; ++i) created[i] = i;
        auto added = edges;
        // A few exchanges only: of two orders without anything in common most do not pair up.
        for (size_t i = 0; moved && i < 2; ++i) {
          std::swap(created[below(created.size())], created[below(created.size())]);
          if (!added.empty()) std::swap(added[below(added.size())], added[below(added.size())]);
        }
        Nodes nodes(count);
        for (int i : created) nodes[i] = mark(g, i);
        order.after.assign(count, {});
        std::vector<bool> sink(count, true);
        for (auto [from, to] : added) {
          EXPECT_EQ(cudaSuccess, g.edge(nodes[from], nodes[to]));
          order.after[to].push_back(from);
          sink[from] = false;
        }
        for (int i : created) {
          if (sink[i]) order.sinks.push_back(i);
        }
        return nodes;
      };
    };
    const std::string answer = pairs(build(orders[0], false), build(orders[1], true));
    const pairing::Answer expected = pairing::pair_up(orders[0], orders[1], [](int, int) { return true; });
    auto name = [](int node) { return node < 0 ? std::string("-") : std::to_string(node); };
    ASK_FACT("seed " + std::to_string(seed),
             expected.paired ? text_of(expected.partner)
                             : refused("TopologyChanged", name(expected.node), name(expected.from)),
             answer);
  }
}

TEST_F(GraphPairing, AClonePairsWithItsOriginal) {
  auto build = [&](Graph& g) {
    auto a = mark(g, 0), b = mark(g, 1, {a}), c = mark(g, 2, {a}), d = mark(g, 3, {c, b}), e = mark(g, 4);
    return Nodes{a, b, c, d, e};
  };
  Graph g;
  build(g);
  cudaGraph_t copy = nullptr;
  MUST(cudaGraphClone(&copy, g));
  Graph clone(copy);
  Exec exec(g);
  ASK_FACT("clone", std::string("Success"), update(exec, clone));
  launch(exec);
  EXPECT_EQ("1 2 3 4 5", cells(5));
}

TEST_F(GraphUpdate, NodeTypes) {
  auto check = [&](const char* name, const std::string& expected, auto build) {
    Graph a, b;
    const auto x = a.empty(), y = b.empty();
    build(a, x, b, y);
    Exec exec(a);
    ASK_FACT(name, expected, update(exec, b));
  };
  int* at = cell.get();
  std::atomic<int> calls{0};
  Graph inner;
  inner.empty();
  check("kernel to memset", refused("NodeTypeChanged", "1"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.store(at, 1, {x}), b.set(at, 1, 4, {y});
  });
  check("empty to kernel", refused("NodeTypeChanged", "1"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.empty({x}), b.store(at, 1, {y});
  });
  check("kernel to empty", refused("NodeTypeChanged", "1"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.store(at, 1, {x}), b.empty({y});
  });
  check("memcpy to memset", refused("NodeTypeChanged", "1"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.copy(at, at + 4, 4, {x}), b.set(at, 1, 4, {y});
  });
  check("host to kernel", refused("NodeTypeChanged", "1"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.host(count_call, &calls, {x}), b.store(at, 1, {y});
  });
  check("child to empty", refused("NodeTypeChanged", "1"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.child(inner, {x}), b.empty({y});
  });
  check("a type at the end and the topology before it", refused("NodeTypeChanged", "3"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.store(at, 1, {a.empty({a.empty(), x})});
    b.set(at, 1, 4, {b.empty({y, b.empty({y})})});
  });
  check("a parameter at the end and a type before it", refused("ParametersChanged", "2"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.set(at, 1, 4, {a.store(at, 1, {x})});
    const auto params = memset_params(at, 1, 1, 4, 2, 8);
    const auto before = b.set(at, 1, 4, {y});
    cudaGraphNode_t node;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, b, &before, 1, &params));
  });
  check("type and topology", refused("TopologyChanged", "0"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t) {
    a.store(at, 1, {x}), b.set(at, 1, 4);
  });
  check("two types, the first in order", refused("NodeTypeChanged", "2"), [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
    a.store(at, 1, {a.store(at, 1, {x})});
    b.set(at, 1, 4, {b.set(at, 1, 4, {y})});
  });
}

TEST_F(GraphUpdate, HostFunctionsAndEventsMayChange) {
  std::atomic<int> first{0}, second{0};
  Event one, two;
  const auto a = graph.host(count_call, &first);
  graph.wait(one, {graph.record(one, {a})});
  Exec exec(graph);
  const auto b = other.host(count_call, &second);
  other.wait(two, {other.record(two, {b})});
  ASK_FACT("another function's data, other events", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ(0, first);
  EXPECT_EQ(1, second);
  EXPECT_EQ(cudaSuccess, cudaEventQuery(two));
}

// What counts is the kind that was given, not the memory.
TEST_F(GraphUpdate, CopiesKeepTheirKind) {
  PinnedArray<int> pinned(8);
  DeviceArray<int> more(8);
  std::vector<int> pageable(8);
  struct Side {
    const char* name;
    void *to, *from;
    cudaMemcpyKind kind;
  } const sides[] = {{"device to device", cell.get(), more.get(), cudaMemcpyDeviceToDevice},
                     {"pinned to device", cell.get(), pinned.get(), cudaMemcpyHostToDevice},
                     {"pageable to device", cell.get(), pageable.data(), cudaMemcpyHostToDevice},
                     {"device to pinned", pinned.get(), more.get(), cudaMemcpyDeviceToHost},
                     {"device to pageable", pageable.data(), more.get(), cudaMemcpyDeviceToHost},
                     {"pinned to pinned", pinned.get(), pinned.get() + 4, cudaMemcpyHostToHost}};
  for (const Side& before : sides) {
    for (const Side& after : sides) {
      const std::string name = std::string(before.name) + ", then " + after.name;
      for (int as_default : {3, 2, 1, 0}) {
        const auto first = as_default & 1 ? cudaMemcpyDefault : before.kind;
        const auto second = as_default & 2 ? cudaMemcpyDefault : after.kind;
        Graph a, b;
        cudaGraphNode_t node;
        MUST(cudaGraphAddMemcpyNode1D(&node, a, nullptr, 0, before.to, before.from, 8, first));
        MUST(cudaGraphAddMemcpyNode1D(&node, b, nullptr, 0, after.to, after.from, 8, second));
        Exec exec(a);
        ASK_FACT(name + ", kinds " + std::to_string(first) + " and " + std::to_string(second),
                 first == second ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
      }
    }
  }
}

__device__ int in_a_variable[8];

// All of one device, and of one kind. Of copies, memory of a pool does not become other memory, nor the other way round.
TEST_F(GraphUpdate, OperandsFromOtherAllocations) {
  PinnedArray<int> pinned(8);
  DeviceArray<int> plain(8);
  std::vector<int> registered(4096), pageable(8);
  int *managed = nullptr, *pooled = nullptr;
  void* symbol = nullptr;
  MUST(cudaMallocManaged(&managed, 32));
  MUST(cudaMallocAsync(&pooled, 32, 0));
  MUST(cudaGetSymbolAddress(&symbol, in_a_variable));
  MUST(cudaHostRegister(registered.data(), registered.size() * sizeof(int), 0));
  const struct {
    const char* name;
    void* at;
  } places[] = {{"cudaMalloc", plain.get()}, {"a pool", pooled},           {"managed", managed},
                {"a variable", symbol},      {"pinned", pinned.get()},     {"registered", registered.data()},
                {"pageable", pageable.data()}};
  for (const auto& before : places) {
    for (const auto& after : places) {
      const std::string name = std::string(before.name) + ", then " + after.name;
      for (bool source : {false, true}) {
        Graph a, b;
        const auto copy = source ? a.copy(cell.get(), before.at, 8) : a.copy(before.at, cell.get(), 8);
        source ? b.copy(cell.get(), after.at, 8) : b.copy(after.at, cell.get(), 8);
        Exec exec(a);
        const bool fits = (before.at == pooled) == (after.at == pooled);
        ASK_FACT(name + (source ? ", copied from" : ", copied to"),
                 fits ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
        ASK_CASE(name + ", by one node", fits ? cudaSuccess : cudaErrorInvalidValue,
                 cudaGraphExecMemcpyNodeSetParams1D(exec, copy, source ? cell.get() : after.at,
                                                    source ? after.at : cell.get(), 8, cudaMemcpyDefault));
      }
      if (before.at == pageable.data() || after.at == pageable.data()) continue;  // which is not set
      Graph a, b;
      const auto set = a.set(before.at, 1, 8);
      b.set(after.at, 1, 8);
      Exec exec(a);
      ASK_FACT(name + ", set", std::string("Success"), update(exec, b));
      const auto params = memset_params(after.at, 2, 1, 8);
      ASK_CASE(name + ", set by one node", cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec, set, &params));
    }
  }
  MUST(cudaHostUnregister(registered.data()));
  MUST(cudaFree(managed));
  MUST(cudaFreeAsync(pooled, 0));
}

TEST_F(GraphUpdate, CopiesOfOtherShapes) {
  DeviceArray<char> space(4096);
  auto box = [&](size_t width, size_t height, size_t depth, size_t pitch) {
    cudaMemcpy3DParms params{};
    params.srcPtr = make_cudaPitchedPtr(space.get(), pitch, pitch, height);
    params.dstPtr = make_cudaPitchedPtr(space.get() + 2048, pitch, pitch, height);
    params.extent = make_cudaExtent(width, height, depth);
    params.kind = cudaMemcpyDeviceToDevice;
    return params;
  };
  const struct {
    const char* name;
    cudaMemcpy3DParms params;
  } shapes[] = {{"16 bytes", box(16, 1, 1, 16)},       {"64 bytes", box(64, 1, 1, 64)},
                {"2D", box(16, 4, 1, 32)},             {"2D higher", box(16, 6, 1, 32)},
                {"2D without gaps", box(16, 4, 1, 16)}, {"3D", box(16, 2, 3, 32)}};
  for (const auto& before : shapes) {
    for (const auto& after : shapes) {
      Graph a, b;
      cudaGraphNode_t node;
      MUST(cudaGraphAddMemcpyNode(&node, a, nullptr, 0, &before.params));
      MUST(cudaGraphAddMemcpyNode(&node, b, nullptr, 0, &after.params));
      Exec exec(a);
      const bool flat = before.params.extent.height == 1 && after.params.extent.height == 1;
      const bool same = &before == &after;
      ASK_FACT(std::string(before.name) + ", then " + after.name,
               flat || same ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
    }
  }
}

TEST_F(GraphUpdate, SetsOfOtherShapesAndPlaces) {
  DeviceArray<char> space(4096);
  PinnedArray<char> pinned(4096);
  char* managed = nullptr;
  MUST(cudaMallocManaged(&managed, 4096));
  const struct {
    const char* name;
    cudaMemsetParams params;
  } sets[] = {{"1 byte x 64", memset_params(space.get(), 1, 1, 64)},
              {"elsewhere, another value", memset_params(space.get() + 256, 2, 1, 64)},
              {"1 byte x 4", memset_params(space.get(), 1, 1, 4)},
              {"1 byte x 2048", memset_params(space.get(), 1, 1, 2048)},
              {"2 bytes x 64", memset_params(space.get(), 1, 2, 64)},
              {"4 bytes x 64", memset_params(space.get(), 1, 4, 64)},
              {"4 bytes x 16", memset_params(space.get(), 1, 4, 16)},
              {"16 x 4", memset_params(space.get(), 1, 1, 16, 4, 32)},
              {"16 x 4 elsewhere", memset_params(space.get() + 512, 7, 1, 16, 4, 32)},
              {"16 x 5", memset_params(space.get(), 1, 1, 16, 5, 32)},
              {"8 x 4", memset_params(space.get(), 1, 1, 8, 4, 32)},
              {"16 x 4, another pitch", memset_params(space.get(), 1, 1, 16, 4, 64)},
              {"16 x 4 of 2 bytes", memset_params(space.get(), 1, 2, 16, 4, 64)},
              {"16 x 4 without gaps", memset_params(space.get(), 1, 1, 16, 4, 16)},
              {"pinned", memset_params(pinned.get(), 1, 1, 64)},
              {"managed", memset_params(managed, 1, 1, 64)}};
  for (const auto& before : sets) {
    for (const auto& after : sets) {
      Graph a, b;
      cudaGraphNode_t node;
      MUST(cudaGraphAddMemsetNode(&node, a, nullptr, 0, &before.params));
      MUST(cudaGraphAddMemsetNode(&node, b, nullptr, 0, &after.params));
      Exec exec(a);
      const auto &p = before.params, &q = after.params;
      const bool flat = p.height == 1 && q.height == 1;
      const bool same = p.height == q.height && p.width == q.width && p.pitch == q.pitch && p.elementSize == q.elementSize;
      ASK_FACT(std::string(before.name) + ", then " + after.name,
               flat || same ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
    }
  }
  MUST(cudaFree(managed));
}

TEST_F(GraphUpdate, Attributes) {
  auto check = [&](const char* name, const std::string& expected, unsigned flags, cudaLaunchAttributeID id,
                   const cudaLaunchAttributeValue* before, const cudaLaunchAttributeValue* after) {
    Graph a, b;
    const auto x = a.kernel({}, store_in_grid, cell.get(), 1), y = b.kernel({}, store_in_grid, cell.get(), 2);
    if (before) EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(x, id, before));
    if (after) EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(y, id, after));
    Exec exec(a, flags);
    ASK_FACT(name, expected, update(exec, b));
    launch(exec);
  };
  cudaLaunchAttributeValue one{}, two{};
  one.priority = -1, two.priority = -2;
  check("priority", "Success", 0, cudaLaunchAttributePriority, &one, &two);
  check("priority, which counts", refused("AttributesChanged", "0"), cudaGraphInstantiateFlagUseNodePriority,
        cudaLaunchAttributePriority, &one, &two);
  check("priority from none, which counts", refused("AttributesChanged", "0"), cudaGraphInstantiateFlagUseNodePriority,
        cudaLaunchAttributePriority, nullptr, &two);
  one.priority = -100, two.priority = -200;
  check("priorities beyond the range, which count", refused("AttributesChanged", "0"),
        cudaGraphInstantiateFlagUseNodePriority, cudaLaunchAttributePriority, &one, &two);
  cudaLaunchAttributeValue yes{}, no{};
  yes.cooperative = 1;
  check("cooperative to not", refused("AttributesChanged", "0"), 0, cudaLaunchAttributeCooperative, &yes, &no);
  check("not to cooperative", refused("AttributesChanged", "0"), 0, cudaLaunchAttributeCooperative, nullptr, &yes);
  check("cooperative to cooperative", "Success", 0, cudaLaunchAttributeCooperative, &yes, &yes);
  cudaLaunchAttributeValue cluster{}, none{};
  cluster.clusterDim.x = cluster.clusterDim.y = cluster.clusterDim.z = 1;
  check("clusters for none", "Success", 0, cudaLaunchAttributeClusterDimension, nullptr, &cluster);
  check("none for clusters", "Success", 0, cudaLaunchAttributeClusterDimension, &cluster, &none);
  cudaLaunchAttributeValue window{};
  window.accessPolicyWindow.base_ptr = cell.get();
  window.accessPolicyWindow.num_bytes = 64;
  window.accessPolicyWindow.hitRatio = 1;
  check("an access window", "Success", 0, cudaLaunchAttributeAccessPolicyWindow, nullptr, &window);
  cudaLaunchAttributeValue domain{};
  domain.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  check("another memory domain", "Success", 0, cudaLaunchAttributeMemSyncDomain, nullptr, &domain);
  cudaLaunchAttributeValue smaller = window;
  smaller.accessPolicyWindow.num_bytes = 32;
  check("another access window", "Success", 0, cudaLaunchAttributeAccessPolicyWindow, &window, &smaller);
  cudaLaunchAttributeValue map{};
  map.memSyncDomainMap.default_ = 1, map.memSyncDomainMap.remote = 0;
  check("another map of domains", "Success", 0, cudaLaunchAttributeMemSyncDomainMap, nullptr, &map);
  cudaLaunchAttributeValue carveout{};
  carveout.sharedMemCarveout = 50;
  check("another carve-out", "Success", 0, cudaLaunchAttributePreferredSharedMemoryCarveout, nullptr, &carveout);
  cudaLaunchAttributeValue policy{};
  policy.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
  check("another scheduling of clusters", "Success", 0, cudaLaunchAttributeClusterSchedulingPolicyPreference, nullptr, &policy);
}

TEST_F(GraphUpdate, AFailedUpdateChangesNothing) {
  const auto a = graph.store(cell.get(), 1), b = graph.store(cell.get() + 1, 1, {a});
  graph.set(cell.get() + 2, 1, 4, {b});
  Exec exec(graph);
  const auto c = other.store(cell.get(), 2), d = other.store(cell.get() + 1, 2, {c});
  const auto params = memset_params(cell.get() + 2, 2, 1, 4, 2, 8);
  cudaGraphNode_t node;
  MUST(cudaGraphAddMemsetNode(&node, other, &d, 1, &params));
  ASK_FACT("a set of two rows for a set of one", refused("ParametersChanged", "2"), update(exec, other));
  launch(exec);
  EXPECT_EQ("1 1 16843009", cells(3));
  Graph reversed;
  const auto params_first = memset_params(cell.get() + 2, 2, 1, 4, 2, 8);
  MUST(cudaGraphAddMemsetNode(&node, reversed, nullptr, 0, &params_first));
  reversed.store(cell.get() + 1, 3, {reversed.store(cell.get(), 3, {node})});
  ASK_FACT("types in another order", refused("NodeTypeChanged", "2"), update(exec, reversed));
  launch(exec);
  EXPECT_EQ("1 1 16843009", cells(3));
}

TEST_F(GraphUpdate, ALaunchThatIsQueuedKeepsItsValues) {
  graph.store(cell.get(), 1, {graph.kernel({}, add_one, cell.get() + 1)});
  other.store(cell.get() + 2, 2, {other.kernel({}, add_one, cell.get() + 3)});
  Exec exec(graph);
  launch(exec);
  Stream stream(cudaStreamNonBlocking);
  Gate gate;
  gate.close(stream);
  MUST(cudaGraphLaunch(exec, stream));
  ASK_FACT("while a launch is queued", std::string("Success"), update(exec, other));
  MUST(cudaGraphLaunch(exec, stream));
  gate.open();
  EXPECT_EQ("1 2 2 1", cells(4));
}

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

// A graph with one node of each sort that changes here, at the top, in a child graph, and in a child graph of that.
struct Nest {
  Graph graph, middle, deepest;
  Nodes among;

  // The last set is of two rows, which no set of one row becomes, where it is said so.
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

TEST_F(GraphUpdate, AQueuedLaunchKeepsWhatIsInside) {
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

// That what an update says it has done is done.
TEST_F(GraphUpdate, SetsAndCopiesTakeAllOfTheirParameters) {
  DeviceArray<char> space(256), from(256);
  std::vector<char> numbers(256);
  for (int i = 0; i < 256; ++i) numbers[i] = static_cast<char>(i);
  MUST(cudaMemcpy(from.get(), numbers.data(), 256, cudaMemcpyHostToDevice));
  auto part = [&](size_t begin, size_t end) {
    auto all = space.read();
    std::string text;
    for (size_t i = begin; i < end; ++i) text += std::to_string(static_cast<unsigned char>(all[i])) + " ";
    return text;
  };
  auto check = [&](const char* name, const std::string& expected, auto add_before, auto add_after) {
    Graph a, b;
    add_before(a), add_after(b);
    Exec exec(a);
    ASK_FACT(name, std::string("Success"), update(exec, b));
    EXPECT_EQ(cudaSuccess, cudaMemset(space.get(), 0, 256));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    launch(exec);
    ASK_FACT(std::string(name) + ", bytes", expected, part(0, 10));
  };
  auto set = [&](cudaMemsetParams params) {
    return [=](Graph& g) {
      cudaGraphNode_t node = nullptr;
      EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, g, nullptr, 0, &params));
    };
  };
  auto copy = [&](size_t at, size_t from_x, size_t from_y, size_t width) {
    return [=, &space, &from](Graph& g) {
      cudaMemcpy3DParms params{};
      params.srcPtr = make_cudaPitchedPtr(from.get(), 16, 16, 16);
      params.srcPos = make_cudaPos(from_x, from_y, 0);
      params.dstPtr = make_cudaPitchedPtr(space.get(), 64, 64, 4);
      params.dstPos = make_cudaPos(at, 0, 0);
      params.extent = make_cudaExtent(width, 1, 1);
      params.kind = cudaMemcpyDeviceToDevice;
      cudaGraphNode_t node = nullptr;
      EXPECT_EQ(cudaSuccess, cudaGraphAddMemcpyNode(&node, g, nullptr, 0, &params));
    };
  };
  check("wider elements", "2 1 2 1 2 1 0 0 0 0 ", set(memset_params(space.get(), 7, 1, 4)),
        set(memset_params(space.get(), 0x0102, 2, 3)));
  check("elements of four bytes", "0 0 0 0 4 3 2 1 0 0 ", set(memset_params(space.get(), 7, 1, 4)),
        set(memset_params(space.get() + 4, 0x01020304, 4, 1)));
  check("narrower elements", "0 9 0 0 0 0 0 0 0 0 ", set(memset_params(space.get(), 7, 4, 4)),
        set(memset_params(space.get() + 1, 9, 1, 1)));
  check("rows elsewhere", "0 0 5 5 0 0 5 5 0 0 ", set(memset_params(space.get(), 7, 1, 2, 2, 4)),
        set(memset_params(space.get() + 2, 5, 1, 2, 2, 4)));
  check("a row of a box", "0 0 35 36 37 0 0 0 0 0 ", copy(0, 0, 0, 2), copy(2, 3, 2, 3));
}

TEST_F(GraphUpdate, CopiesOfSlices) {
  DeviceArray<char> space(4096);
  auto box = [&](size_t width, size_t height, size_t depth, size_t x) {
    cudaMemcpy3DParms params{};
    params.srcPtr = make_cudaPitchedPtr(space.get(), 32, 32, 4);
    params.dstPtr = make_cudaPitchedPtr(space.get() + 2048, 32, 32, 4);
    params.srcPos = make_cudaPos(x, 0, 0);
    params.extent = make_cudaExtent(width, height, depth);
    params.kind = cudaMemcpyDeviceToDevice;
    return params;
  };
  const struct {
    const char* name;
    cudaMemcpy3DParms params;
  } shapes[] = {{"one row", box(16, 1, 1, 0)},
                {"one row elsewhere", box(16, 1, 1, 8)},
                {"a row of two slices", box(16, 1, 2, 0)},
                {"a row of two slices elsewhere", box(16, 1, 2, 8)},
                {"two rows", box(16, 2, 1, 0)},
                {"one byte of two rows", box(1, 2, 1, 0)}};
  for (const auto& before : shapes) {
    for (const auto& after : shapes) {
      Graph a, b;
      cudaGraphNode_t node;
      MUST(cudaGraphAddMemcpyNode(&node, b, nullptr, 0, &after.params));
      MUST(cudaGraphAddMemcpyNode(&node, a, nullptr, 0, &before.params));
      Exec exec(a);
      auto flat = [](const cudaMemcpy3DParms& params) { return params.extent.height == 1 && params.extent.depth == 1; };
      const bool fits = (flat(before.params) && flat(after.params)) || &before == &after;
      const std::string name = std::string(before.name) + ", then " + after.name;
      ASK_FACT(name, fits ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
      ASK_CASE(name + ", by one node", fits ? cudaSuccess : cudaErrorInvalidValue,
               cudaGraphExecMemcpyNodeSetParams(exec, node, &after.params));
    }
  }
}

TEST_F(GraphUpdate, ACooperativeKernelStaysOne) {
  const auto node = graph.kernel({}, store_in_grid, cell.get(), 1);
  cudaLaunchAttributeValue yes{};
  yes.cooperative = 1;
  MUST(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &yes));
  Exec exec(graph);
  KernelParams two(synchronize_and_store, cell.get(), 2);
  two.params.gridDim = 2;
  ASK_CASE("one node", cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  launch(exec);
  ASK_FACT("cells", std::string("2 2"), cells(2));
  two.params.gridDim = 1 << 20;
  ASK_CASE("more blocks than run at once", cudaErrorCooperativeLaunchTooLarge,
           cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  const auto plain = other.kernel({}, synchronize_and_store, cell.get(), 3);
  MUST(cudaGraphKernelNodeSetAttribute(plain, cudaLaunchAttributeCooperative, &yes));
  ASK_FACT("the whole", std::string("Success"), update(exec, other));
  launch(exec);
  ASK_FACT("cells after the whole", std::string("3 2"), cells(2));
}

TEST_F(GraphUpdate, TheFirstGraphMayGo) {
  auto first = std::make_unique<Graph>();
  first->kernel({first->store(cell.get(), 1)}, add_one, cell.get() + 1);
  Exec exec(*first);
  first.reset();
  other.kernel({other.store(cell.get(), 2)}, add_one, cell.get() + 2);
  ASK_FACT("when the first is gone", std::string("Success"), update(exec, other));
  launch(exec);
  ASK_FACT("cells", std::string("2 0 1"), cells(3));
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

TEST_F(GraphUpdate, AGraphWithACycleIsRefused) {
  const auto a = graph.empty();
  graph.empty({a});
  Exec exec(graph);
  const auto x = other.empty(), y = other.empty({x});
  MUST(other.edge(y, x));
  ASK_FACT("a cycle", refused("TopologyChanged"), update(exec, other));
}

TEST_F(GraphUpdate, DisabledNodesAfterAnUpdate) {
  const auto node = graph.store(cell.get(), 1);
  graph.store(cell.get() + 1, 1, {node});
  Exec exec(graph);
  MUST(cudaGraphNodeSetEnabled(exec, node, 0));
  other.store(cell.get() + 1, 2, {other.store(cell.get(), 2)});
  ASK_FACT("with a disabled node", std::string("Success"), update(exec, other));
  unsigned enabled = 77;
  MUST(cudaGraphNodeGetEnabled(exec, node, &enabled));
  ASK_FACT("enabled after the update", 0u, enabled);
  launch(exec);
  ASK_FACT("cells", std::string("0 2"), cells(2));
}

// Of copies, sets and kernels with another function; in a child graph; through updates that fail.
TEST_F(GraphUpdate, StatesAcrossUpdates) {
  auto build = [&](Graph& g, int value, bool same_function = true, bool fits = true) {
    Graph inner;
    inner.store(cell.get() + 4, value);
    const auto kernel = same_function ? g.store(cell.get(), value) : g.kernel({}, store_sum, cell.get(), value, 1, 1);
    const auto set = g.set(cell.get() + 1, static_cast<unsigned>(value), 4, {kernel});
    const auto copy = fits ? g.copy(cell.get() + 2, cell.get() + 8 + value, 4, {set}) : g.set(cell.get() + 2, 0, 4, {set});
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
  ASK_CASE("one node's function while disabled", cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, nodes[0], &nine.params));
  ASK_FACT("states after one node's", std::string("0 1 1 1"), states());
  ASK_FACT("cells after one node's", std::string("0 50529027 7 0 3"), run_it());
  MUST(cudaGraphNodeSetEnabled(exec, nodes[0], 1));
  ASK_FACT("cells at last", std::string("9 50529027 7 0 3"), run_it());
}

// The launch that is queued keeps its values, whoever changes the graph meanwhile.
TEST_F(GraphUpdate, ByAnotherThreadWhileALaunchIsQueued) {
  const auto node = graph.store(cell.get(), 1);
  graph.kernel({node}, add_one, cell.get() + 1);
  other.kernel({other.store(cell.get(), 2)}, add_one, cell.get() + 2);
  Exec exec(graph);
  launch(exec);
  Stream stream(cudaStreamNonBlocking);
  Gate gate;
  gate.close(stream);
  MUST(cudaGraphLaunch(exec, stream));
  std::string whole;
  cudaError_t one = cudaErrorUnknown;
  std::thread([&] {
    whole = update(exec, other);
    (void)cudaGraphLaunch(exec, stream);
    KernelParams five(store, cell.get() + 3, 5);
    one = cudaGraphExecKernelNodeSetParams(exec, node, &five.params);
  }).join();
  ASK_FACT("the whole", std::string("Success"), whole);
  ASK_CASE("one node", cudaSuccess, one);
  MUST(cudaGraphLaunch(exec, stream));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("cells", std::string("2 2 2 5"), cells(4));
}

// One thread launches while another changes, with nothing between them: each launch runs one state or another. The
// documentation wants calls for one graph to be made one after the other.
TEST_F(HazardGraphUpdate, ByAnotherThreadAtTheSameTime) {
  const auto node = graph.kernel({}, store_sum, cell.get(), 0, 0, 0);
  Exec exec(graph);
  std::atomic<bool> done{false};
  std::thread changer([&] {
    for (int i = 1; !done; ++i) {
      KernelParams next(store_sum, cell.get(), i, i, -i);
      (void)cudaGraphExecKernelNodeSetParams(exec, node, &next.params);
    }
  });
  int last = 0, backwards = 0;
  Stream stream(cudaStreamNonBlocking);
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    const int now = cell.read()[0];
    backwards += now < last;
    last = now;
  }
  done = true;
  changer.join();
  ASK_FACT("older values after newer ones", 0, backwards);
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

// Those of a launch that is queued are kept for it. A child graph has its own, which go when it alone is changed.
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
  // Each with a child graph that has an object of its own.
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

// Whether the objects of a graph that the executable was before are let go.
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

TEST_F(GraphUpdate, TheInstantiatingFlagsDoNotMatter) {
  graph.store(cell.get(), 1);
  other.store(cell.get(), 2);
  for (unsigned long long flags : {1ull, 4ull, 8ull}) {
    cudaGraphExec_t made = nullptr;
    MUST(cudaGraphInstantiate(&made, graph, flags));
    ASK_FACT("flags " + std::to_string(flags), std::string("Success"), update(made, other));
    MUST(cudaGraphExecDestroy(made));
  }
}

TEST_F(GraphUpdate, ManyUpdatesInARow) {
  graph.store(cell.get(), 0);
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking);
  for (int i = 1; i <= 100; ++i) {
    Graph next;
    next.store(cell.get() + i % 8, i);
    ASSERT_EQ("Success", update(exec, next));
    MUST(cudaGraphLaunch(exec, stream));
  }
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("96 97 98 99 100 93 94 95", cells(8));
}

}  // namespace
