// Adds and changes nodes of any type, with their parameters in a cudaGraphNodeParams.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::graph {

[[nodiscard]] cudaError_t add_any_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                       const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters);
[[nodiscard]] cudaError_t set_any_params(cudaGraphNode_t node, cudaGraphNodeParams* parameters);

}  // namespace reprise_runtime::graph
