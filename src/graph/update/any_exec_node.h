// Sets the parameters of a node of any type in an executable graph.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::graph {

[[nodiscard]] cudaError_t set_any_exec_params(cudaGraphExec_t exec, cudaGraphNode_t node,
                                              cudaGraphNodeParams* parameters);

}  // namespace reprise_runtime::graph
