// Copies of graphs: clones, and the graphs inside others.
#pragma once

#include <driver_types.h>

#include "graph/define/graph.h"

namespace reprise_runtime::graph {

// A graph with the same nodes, edges and user objects, and copies of the graphs inside. The mutex of `source` is held.
Result<Ref<Graph>> clone(Graph& source);

[[nodiscard]] cudaError_t clone_graph(cudaGraph_t* out, cudaGraph_t handle);
[[nodiscard]] cudaError_t find_in_clone(cudaGraphNode_t* out, cudaGraphNode_t original, cudaGraph_t clone);

// A child graph node of a copy of `child`, or, moved, of `child` itself.
[[nodiscard]] cudaError_t add_child_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                         const cudaGraphEdgeData* data, size_t count, cudaGraph_t child, bool move);
// The child graph node gets a copy of `child` instead of what it has.
[[nodiscard]] cudaError_t replace_child(cudaGraphNode_t node, cudaGraph_t child);

}  // namespace reprise_runtime::graph
