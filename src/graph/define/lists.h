// Lists that users ask for: nodes, roots, edges, neighbours, each into arrays of a size they choose.
//
// Without arrays only the count is told. Otherwise `*count` says how many places there are, at least one; it becomes
// the number of places used, and places left over are nulled.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::graph {

[[nodiscard]] cudaError_t list_nodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
// The latest first.
[[nodiscard]] cudaError_t list_roots(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
// cudaErrorLossyQuery when there is no place for the data and an edge has some.
[[nodiscard]] cudaError_t list_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* data, size_t* count);
[[nodiscard]] cudaError_t list_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                            size_t* count);
[[nodiscard]] cudaError_t list_dependents(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* data,
                                          size_t* count);

}  // namespace reprise_runtime::graph
