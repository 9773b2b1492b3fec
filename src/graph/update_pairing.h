// Which node of a graph stands for which node of an executable graph: both are walked from the nodes that nothing
// depends on, in the order in which those became such, along the edges, in the order in which those were added.
#pragma once

#include <driver_types.h>

#include <vector>

#include "graph/outline.h"

namespace reprise::graph {

// What an update came to, with the nodes of the new graph that it names.
struct UpdateResult {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  Node* node = nullptr;
  Node* from = nullptr;

  bool ok() const { return result == cudaGraphExecUpdateSuccess; }
};

// partners[i] becomes the node for entry i. The graph's mutex is held.
UpdateResult pair_nodes(const Outline& outline, Graph& graph, std::vector<Node*>& partners);

// The entries in the order in which a walk comes upon them, for a graph whose nodes all pair up. Of several nodes that
// cannot be updated, the first in this order is named.
std::vector<uint32_t> walking_order(const Outline& outline, Graph& graph);

}  // namespace reprise::graph
