// What instantiating asks of graphs with conditional nodes.
#pragma once

#include <driver_types.h>

#include "graph/define/graph.h"

namespace reprise_runtime::graph {

struct ConditionalRules {
  bool any = false;  // there are conditional nodes, in the graph or in one inside it
  cudaGraphInstantiateResult result = cudaGraphInstantiateError;
  Node* error_node = nullptr;
};

// Which nodes are in bodies, and that every condition has its node. The graph's mutex is held.
[[nodiscard]] cudaError_t check_conditionals(Graph& graph, ConditionalRules& rules);

}  // namespace reprise_runtime::graph
