// The graph memory that the launches of an executable graph use.
#pragma once

#include <memory>

#include "graph/define/graph.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {

// Collects the memory nodes of a graph and of the graphs inside it. The graph's mutex is held.
std::unique_ptr<memory::GraphMemoryUse> memory_use_of(Graph& graph, bool auto_free);

}  // namespace reprise_runtime::graph
