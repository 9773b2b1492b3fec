// Nodes of any type, by the one structure that can hold the parameters of each.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::graph {

[[nodiscard]] cudaError_t add_any_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters);
[[nodiscard]] cudaError_t set_any_params(cudaGraphNode_t node, cudaGraphNodeParams* parameters);

// Of a node in an executable graph.
[[nodiscard]] cudaError_t set_any_exec_params(cudaGraphExec_t exec, cudaGraphNode_t node,
                                              cudaGraphNodeParams* parameters);

}  // namespace reprise_runtime::graph
