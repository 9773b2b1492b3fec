// Places the nodes of a directed graph in rows, so that edges lead downwards and cross seldom (Sugiyama's method: rows
// by the longest path, places for long edges in the rows that they pass, order by the mean place of the neighbours).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace reprise_runtime::diagnose {

struct LayoutNode {
  double width, height;
};

struct GraphLayout {
  struct Place {
    double x = 0;  // of the centre
    uint32_t row = 0;
  };
  struct Row {
    double top = 0, height = 0;
  };
  std::vector<Place> nodes;
  std::vector<std::vector<Place>> edges;  // the places that each edge passes, its ends included
  std::vector<Row> rows;
  double width = 0, height = 0;

  static constexpr double gap = 18, row_gap = 40;
};

// Edges that close a cycle are drawn, but do not count for the rows.
GraphLayout lay_out(const std::vector<LayoutNode>& nodes, const std::vector<std::pair<uint32_t, uint32_t>>& edges);

// For each node the longest time from a root to its end, and which node it comes from (own index: none), where a node
// takes `weight`. Nodes on the longest chain are marked.
std::vector<bool> critical_path(const std::vector<double>& weight,
                                const std::vector<std::pair<uint32_t, uint32_t>>& edges);

}  // namespace reprise_runtime::diagnose
