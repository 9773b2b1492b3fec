// Which node of a graph stands for which node of an executable graph: both are walked from the nodes that nothing
// depends on, in the order in which those became such, along the edges, in the order in which those were added.
#pragma once

#include <driver_types.h>

#include <functional>
#include <vector>

#include "graph/plan/exec_index.h"

namespace reprise_runtime::graph {

// What an update came to, with the nodes of the new graph that it names.
struct UpdateResult {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  Node* node = nullptr;
  Node* from = nullptr;

  bool ok() const { return result == cudaGraphExecUpdateSuccess; }
};

// Whether a node can be updated from its partner.
using CheckPair = std::function<UpdateResult(uint32_t entry, Node& node)>;

// For lists of the graphs that are being paired, those of the innermost last.
struct PairingRoom {
  std::vector<Node*> partners;   // by entry
  std::vector<uint32_t> paired;  // entries, in the order in which they found partners
};

// How partners are looked for.
enum class PairingWay {
  in_order,  // the nodes and edges of both were added in the same order, as by the same code; else it fails
  walk,
};

// Each pair is checked; a check may pair the nodes of graphs inside, in the same way. Of several things in the way the
// first that the walk comes upon is told, be it of the topology or of a node; in_order it is any. The graph's mutex is
// held.
UpdateResult pair_nodes(const ExecIndex& index, Graph& graph, PairingWay way, const CheckPair& check,
                        PairingRoom& room);

}  // namespace reprise_runtime::graph
