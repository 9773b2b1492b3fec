// Why an update of an executable graph is refused, in words for the log.
#pragma once

#include <driver_types.h>

#include "diagnose/refuse.h"
#include "graph/update/update_limits.h"

namespace reprise_runtime::graph {

// Adds the node to the explanation of `refused`, which comes from code that does not know the node.
[[gnu::cold]] cudaError_t refuse_node(cudaGraphNode_t node, cudaError_t refused);
[[gnu::cold]] cudaError_t no_parameters(cudaGraphNode_t node);
[[gnu::cold]] cudaError_t not_in_exec(cudaGraphNode_t node);
// `code` is what the call will return; the log drops explanations of other errors.
[[gnu::cold]] cudaError_t other_type_in_exec(cudaGraphNode_t node, cudaGraphNodeType type, cudaGraphNodeType wanted,
                                             cudaError_t code = cudaErrorInvalidValue);
[[gnu::cold]] cudaError_t cannot_change(cudaGraphNode_t node, cudaGraphNodeType type, const Obstacle& obstacle,
                                        cudaError_t code = cudaErrorInvalidValue);

}  // namespace reprise_runtime::graph
