// What an executable graph does with graph memory, found out when it is instantiated.
#pragma once

#include <memory>

#include "graph/graph.h"
#include "memory/graph_memory.h"

namespace reprise::graph {

// Of a graph with memory nodes, child graphs included. Its mutex is held.
std::unique_ptr<memory::GraphMemoryUse> memory_use_of(Graph& graph, bool auto_free);

}  // namespace reprise::graph
