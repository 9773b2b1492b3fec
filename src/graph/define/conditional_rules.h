// The rules that instantiation checks for graphs with conditional nodes.
#pragma once

#include <driver_types.h>

#include "graph/define/graph.h"

namespace reprise_runtime::graph {

struct ConditionalRules {
  bool any = false;  // the graph, or a graph inside it, has conditional nodes
  cudaGraphInstantiateResult result = cudaGraphInstantiateError;
  Node* error_node = nullptr;
};

// Checks that bodies have only nodes that may be there, and that every condition has a node. The graph's mutex is held.
[[nodiscard]] cudaError_t check_conditionals(Graph& graph, ConditionalRules& rules);

}  // namespace reprise_runtime::graph
