// A graph as a picture: an SVG, and a page in HTML around it that can be searched, folded, panned and zoomed. Neither
// needs any other file.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise_runtime::diagnose {

struct DrawnGraph;

enum class DrawnChange : uint8_t { none, added, removed, changed };

struct DrawnNode {
  uint64_t handle = 0;
  std::string kind;                  // "kernel", "memcpy", ...: also the name of its colour
  std::string title;                 // of a kernel: its name
  std::vector<std::string> details;  // grid, bytes and so on, one line each
  int64_t memory = 0;                // bytes that it allocates; negative: that it frees
  double ns = 0;                     // mean time of a run; 0: not measured
  std::vector<DrawnGraph> inside;    // a child graph, or the bodies of a conditional node
  DrawnChange change = DrawnChange::none;
};

struct DrawnEdge {
  uint32_t from, to;
  bool early;         // the dependent may start before the end of the other
  std::string label;  // of an edge that is not plain
};

struct DrawnGraph {
  std::string title;
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
};

std::string svg_of(const DrawnGraph& graph);
std::string page_of(const DrawnGraph& graph);

// The newer graph, with what has changed since the older one marked. Nodes are paired in their order, by kind.
DrawnGraph difference(const DrawnGraph& older, const DrawnGraph& newer);

}  // namespace reprise_runtime::diagnose
