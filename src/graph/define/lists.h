// The queries of nodes, roots, edges and neighbours, which fill arrays of the user.
//
// Without arrays only the count is stored. Otherwise `*count` is the capacity of the arrays, at least 1; it becomes the
// number of elements written, and the elements behind them become null.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::graph {

[[nodiscard]] cudaError_t list_nodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
// In the reverse of the order in which they became roots.
[[nodiscard]] cudaError_t list_roots(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
// Returns cudaErrorLossyQuery when an edge has data and `data` is null.
[[nodiscard]] cudaError_t list_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* data, size_t* count);
[[nodiscard]] cudaError_t list_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                            size_t* count);
[[nodiscard]] cudaError_t list_dependents(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                          size_t* count);

}  // namespace reprise_runtime::graph
