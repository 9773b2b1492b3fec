// Clones of graphs, and child graph nodes, which have clones.
#pragma once

#include <driver_types.h>

#include "graph/define/graph.h"

namespace reprise_runtime::graph {

// Makes a graph with the same nodes, edges and user objects, and clones of the graphs inside. The mutex of `source` is
// held.
Result<Ref<Graph>> clone(Graph& source);

[[nodiscard]] cudaError_t clone_graph(cudaGraph_t* out, cudaGraph_t handle);
[[nodiscard]] cudaError_t find_in_clone(cudaGraphNode_t* out, cudaGraphNode_t original, cudaGraph_t clone);

// Adds a child graph node with a clone of `child`, or with `child` itself if `move` is set.
[[nodiscard]] cudaError_t add_child_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                         const cudaGraphEdgeData* data, size_t count, cudaGraph_t child, bool move);
// Replaces the graph of a child graph node by a clone of `child`.
[[nodiscard]] cudaError_t replace_child(cudaGraphNode_t node, cudaGraph_t child);

}  // namespace reprise_runtime::graph
