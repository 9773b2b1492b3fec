// How an update pairs the nodes of a graph with those of an executable graph, and which nodes it names when they do
// not match.
#include <random>

#include "graph/update/update_support.h"
#include "pairing_rule.h"

namespace {

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
  Graph fourth;
  const auto g = fourth.store(cell.get(), 4), h = fourth.store(cell.get() + 1, 4);
  const auto at_launch = edge_data(cudaGraphKernelNodePortLaunchCompletion, 0, cudaGraphDependencyTypeProgrammatic);
  MUST(fourth.edge(g, h, &at_launch));
  ASK_FACT("another port", refused("TopologyChanged", "1", "0"), update(exec, fourth));
}

// Finds the partner of each node by disabling it: the partner's cell stays empty.
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
        // A few exchanges only: two unrelated orders rarely match.
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
  check("kernel to memset", refused("NodeTypeChanged", "1"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) { a.store(at, 1, {x}), b.set(at, 1, 4, {y}); });
  check("empty to kernel", refused("NodeTypeChanged", "1"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) { a.empty({x}), b.store(at, 1, {y}); });
  check("kernel to empty", refused("NodeTypeChanged", "1"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) { a.store(at, 1, {x}), b.empty({y}); });
  check("memcpy to memset", refused("NodeTypeChanged", "1"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
          a.copy(at, at + 4, 4, {x}), b.set(at, 1, 4, {y});
        });
  check("host to kernel", refused("NodeTypeChanged", "1"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
          a.host(count_call, &calls, {x}), b.store(at, 1, {y});
        });
  check("child to empty", refused("NodeTypeChanged", "1"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) { a.child(inner, {x}), b.empty({y}); });
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
  check("type and topology", refused("TopologyChanged", "0"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t) { a.store(at, 1, {x}), b.set(at, 1, 4); });
  check("two types, the first in order", refused("NodeTypeChanged", "2"),
        [&](Graph& a, cudaGraphNode_t x, Graph& b, cudaGraphNode_t y) {
          a.store(at, 1, {a.store(at, 1, {x})});
          b.set(at, 1, 4, {b.set(at, 1, 4, {y})});
        });
}

TEST_F(GraphUpdate, AGraphWithACycleIsRefused) {
  const auto a = graph.empty();
  graph.empty({a});
  Exec exec(graph);
  const auto x = other.empty(), y = other.empty({x});
  MUST(other.edge(y, x));
  ASK_FACT("a cycle", refused("TopologyChanged"), update(exec, other));
}

}  // namespace
