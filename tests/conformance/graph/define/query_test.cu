// Queries into arrays that are too small, too large or null.
#include "graph/graph_support.h"

namespace {

// Two roots, both before one node: 3 nodes, 2 roots, 2 edges.
class GraphQuery : public Graphs {
 protected:
  cudaGraphNode_t a = graph.empty();
  cudaGraphNode_t b = graph.empty();
  cudaGraphNode_t c = graph.empty({a, b});
  cudaGraphNode_t marker = reinterpret_cast<cudaGraphNode_t>(uintptr_t{0x1234});
};

using Query = std::function<cudaError_t(cudaGraphNode_t*, size_t*)>;

TEST_F(GraphQuery, NodeListsFillWhatFitsAndTellTheCount) {
  const struct {
    const char* name;
    size_t actual;
    Query query;
  } rows[] = {
      {"nodes", 3, [&](auto* out, auto* n) { return cudaGraphGetNodes(graph, out, n); }},
      {"roots", 2, [&](auto* out, auto* n) { return cudaGraphGetRootNodes(graph, out, n); }},
      {"dependencies", 2, [&](auto* out, auto* n) { return cudaGraphNodeGetDependencies(c, out, nullptr, n); }},
      {"dependents", 1, [&](auto* out, auto* n) { return cudaGraphNodeGetDependentNodes(a, out, nullptr, n); }},
      {"no dependencies", 0, [&](auto* out, auto* n) { return cudaGraphNodeGetDependencies(a, out, nullptr, n); }},
      {"no dependents", 0, [&](auto* out, auto* n) { return cudaGraphNodeGetDependentNodes(c, out, nullptr, n); }},
  };
  for (const auto& row : rows) {
    const std::string name = row.name;
    size_t count = 77;
    ASK_CASE(name + ": count only", cudaSuccess, row.query(nullptr, &count));
    EXPECT_EQ(row.actual, count) << name;
    ASK_CASE(name + ": nothing at all", cudaErrorInvalidValue, row.query(nullptr, nullptr));
    Nodes out(6, marker);
    ASK_CASE(name + ": array without count", cudaErrorInvalidValue, row.query(out.data(), nullptr));
    for (size_t room = 0; room <= 5; ++room) {
      std::fill(out.begin(), out.end(), marker);
      count = room;
      ASK_CASE(name + ": room for " + std::to_string(room), room ? cudaSuccess : cudaErrorInvalidValue,
               row.query(out.data(), &count));
      const size_t filled = std::min(room, row.actual);
      EXPECT_EQ(filled, count) << name << " with room " << room;
      for (size_t i = 0; i < out.size(); ++i) {
        if (i < filled)
          EXPECT_NE(marker, out[i]) << name << " with room " << room;
        else if (i < room)
          EXPECT_EQ(nullptr, out[i]) << name << " with room " << room << ": spare places are nulled";
        else
          EXPECT_EQ(marker, out[i]) << name << " with room " << room << ": wrote past the array";
      }
    }
  }
}

TEST_F(GraphQuery, EdgeListsFillWhatFitsAndTellTheCount) {
  size_t count = 77;
  MUST(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  EXPECT_EQ(2u, count);
  for (size_t room = 0; room <= 4; ++room) {
    Nodes from(5, marker), to(5, marker);
    std::vector<cudaGraphEdgeData> data(5, edge_data(9, 9, 9));
    count = room;
    ASK_CASE("room for " + std::to_string(room), room ? cudaSuccess : cudaErrorInvalidValue,
             cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count));
    const size_t filled = std::min<size_t>(room, 2);
    EXPECT_EQ(filled, count);
    for (size_t i = 0; i < 5; ++i) {
      if (i < filled) {
        EXPECT_NE(marker, from[i]);
        EXPECT_EQ(c, to[i]);
        EXPECT_TRUE(data[i] == edge_data(0, 0, 0));
      } else if (i < room) {
        EXPECT_EQ(nullptr, from[i]);
        EXPECT_EQ(nullptr, to[i]);
        ASK_FACT("spare edge data is zeroed", true, data[i] == edge_data(0, 0, 0));
      } else {
        EXPECT_EQ(marker, from[i]);
        EXPECT_EQ(marker, to[i]);
        EXPECT_TRUE(data[i] == edge_data(9, 9, 9));
      }
    }
  }
}

TEST_F(GraphQuery, EdgeListsNeedBothEnds) {
  Nodes from(4), to(4);
  std::vector<cudaGraphEdgeData> data(4);
  size_t count = 4;
  ASK(cudaErrorInvalidValue, cudaGraphGetEdges(graph, from.data(), nullptr, nullptr, &count));
  count = 4;
  ASK(cudaErrorInvalidValue, cudaGraphGetEdges(graph, nullptr, to.data(), nullptr, &count));
  count = 4;
  ASK(cudaErrorInvalidValue, cudaGraphGetEdges(graph, nullptr, nullptr, data.data(), &count));
  count = 4;
  ASK(cudaErrorInvalidValue, cudaGraphGetEdges(graph, from.data(), nullptr, data.data(), &count));
  ASK(cudaErrorInvalidValue, cudaGraphGetEdges(graph, from.data(), to.data(), nullptr, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, nullptr));
  count = 4;
  ASK(cudaErrorInvalidValue, cudaGraphNodeGetDependencies(c, nullptr, data.data(), &count));
  count = 4;
  ASK(cudaErrorInvalidValue, cudaGraphNodeGetDependentNodes(a, nullptr, data.data(), &count));
}

TEST_F(GraphQuery, NeedsAGraphOrNode) {
  size_t count = 4;
  Nodes out(4);
  ASK(cudaErrorInvalidValue, cudaGraphGetNodes(nullptr, out.data(), &count));
  ASK(cudaErrorInvalidValue, cudaGraphGetRootNodes(nullptr, out.data(), &count));
  ASK(cudaErrorInvalidValue, cudaGraphGetEdges(nullptr, out.data(), out.data(), nullptr, &count));
  ASK(cudaErrorInvalidValue, cudaGraphNodeGetDependencies(nullptr, out.data(), nullptr, &count));
  ASK(cudaErrorInvalidValue, cudaGraphNodeGetDependentNodes(nullptr, out.data(), nullptr, &count));
  EXPECT_EQ(4u, count);
}

TEST_F(GraphQuery, DroppingEdgeDataIsAnError) {
  Graph with_data;
  const auto first = with_data.kernel({}, nothing), second = with_data.kernel({}, nothing);
  const auto third = with_data.kernel({}, nothing);
  MUST(with_data.edge(first, second, &programmatic));
  MUST(with_data.edge(second, third));
  Nodes from(4), to(4);
  std::vector<cudaGraphEdgeData> data(4);
  size_t count = 4;
  ASK(cudaErrorLossyQuery, cudaGraphGetEdges(with_data, from.data(), to.data(), nullptr, &count));
  ASK_FACT("count after the lossy query of edges", 4, count);
  ASK_FACT("edges after the lossy query", std::string("? ? ? ?"), places(from, {first, second, third}));
  count = 4;
  ASK(cudaErrorLossyQuery, cudaGraphNodeGetDependencies(second, from.data(), nullptr, &count));
  count = 4;
  ASK(cudaErrorLossyQuery, cudaGraphNodeGetDependentNodes(first, from.data(), nullptr, &count));
  // Another edge of the same graph has data: this one loses nothing.
  count = 4;
  ASK(cudaSuccess, cudaGraphNodeGetDependencies(third, from.data(), nullptr, &count));
  count = 4;
  ASK(cudaSuccess, cudaGraphNodeGetDependentNodes(second, from.data(), nullptr, &count));
  // Asking for the count loses nothing.
  ASK(cudaSuccess, cudaGraphGetEdges(with_data, nullptr, nullptr, nullptr, &count));
  EXPECT_EQ(2u, count);
  ASK(cudaSuccess, cudaGraphNodeGetDependencies(second, nullptr, nullptr, &count));
  ASK(cudaSuccess, cudaGraphNodeGetDependentNodes(first, nullptr, nullptr, &count));
  // Room for the first edge only, which is the one with data; then for none.
  count = 1;
  ASK_CASE("one place, edge with data", cudaErrorLossyQuery,
           cudaGraphGetEdges(with_data, from.data(), to.data(), nullptr, &count));
  count = 0;
  ASK_CASE("no place, edge with data", cudaErrorInvalidValue,
           cudaGraphGetEdges(with_data, from.data(), to.data(), nullptr, &count));
  count = 4;
  MUST(cudaGraphGetEdges(with_data, from.data(), to.data(), data.data(), &count));
  ASSERT_EQ(2u, count);
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(data[i] == (from[i] == first ? programmatic : edge_data(0, 0, 0)));
  count = 4;
  MUST(cudaGraphNodeGetDependencies(second, from.data(), data.data(), &count));
  EXPECT_EQ(1u, count);
  EXPECT_TRUE(data[0] == programmatic);
  MUST(cudaGraphNodeGetDependentNodes(first, from.data(), data.data(), &count));
  EXPECT_TRUE(data[0] == programmatic);
}

}  // namespace
