// Topological orders of the nodes of a graph.
#pragma once

#include <vector>

#include "graph/define/graph.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {

// An order in which every node comes after those that it depends on: the order of creation where that is one. If there
// is a cycle, the result is empty and `error_node` is a node on it. The graph's mutex is held, and its nodes are
// numbered.
std::vector<Node*> topological_order(Graph& graph, Node*& error_node);

// A topological order in which kernels of higher priority come as early as possible. `order` is a topological order of
// a whole graph, whose nodes are numbered.
std::vector<Node*> order_by_priority(const std::vector<Node*>& order);

}  // namespace reprise_runtime::graph
