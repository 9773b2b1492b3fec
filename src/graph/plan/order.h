// An order in which the nodes of a graph may run.
#pragma once

#include <vector>

#include "graph/define/graph.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {

// Every node after those it depends on; as they were created where that is such an order. Empty, with `stuck` set to a
// node on a cycle, when there is none. The graph's mutex is held.
std::vector<Node*> topological_order(Graph& graph, Node*& stuck);

// Such an order in which, of several kernels that could run, one of higher priority comes first.
std::vector<Node*> order_by_priority(const std::vector<Node*>& order);

}  // namespace reprise_runtime::graph
