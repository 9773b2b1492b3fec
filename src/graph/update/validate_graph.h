// Validates an update from a whole graph: each node of it must pair up with one of the executable graph, and that one
// must be able to become it. Produces the list of changes, and changes nothing.
#pragma once

#include "graph/update/change_list.h"
#include "graph/update/pairing.h"
#include "graph/update/update_limits.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {

class GraphValidation {
 public:
  // `priorities_count`: the graph was instantiated to use the priorities of nodes. `new_memory`: what the new graph
  // does with graph memory, if that is not the memory that the executable graph has used before; else null.
  GraphValidation(ChangeList& changes, bool priorities_count, const memory::GraphMemoryUse* new_memory)
      : changes_(changes), priorities_count_(priorities_count), new_memory_(new_memory) {}

  // Adds the changes of the nodes of `index` and of the graphs inside to the list. Returns the first thing on the walk
  // that prevents the update, be it the topology or a node; the log explains it. The graph's mutex is held.
  UpdateResult run(ExecIndex& index, Graph& graph);

 private:
  UpdateResult validate_graph(ExecIndex& index, Graph& graph);
  UpdateResult validate_node(ExecIndex& index, uint32_t number, Node& node);
  UpdateResult validate_bodies(ExecIndex& index, uint32_t number, Node& node);
  UpdateResult validate_inside(ExecIndex& index, Graph& graph);
  template <class T>
  Obstacle find_node_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const T& work, int device) const;

  ChangeList& changes_;
  const bool priorities_count_;
  const memory::GraphMemoryUse* const new_memory_;
};

}  // namespace reprise_runtime::graph
