// What an executable graph does with graph memory, found out when it is instantiated.
#pragma once

#include <memory>

#include "graph/define/graph.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {

// Of a graph with memory nodes, child graphs included. Its mutex is held.
std::unique_ptr<memory::GraphMemoryUse> memory_use_of(Graph& graph, bool auto_free);

}  // namespace reprise_runtime::graph
