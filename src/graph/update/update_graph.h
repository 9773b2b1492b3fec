// Updates a whole executable graph, or a child graph in it, from another graph of the same topology: all nodes, or none
// when one of them cannot change.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::graph {

// `info`, which may be null, gets the result of the comparison; success if the call is refused before that.
[[nodiscard]] cudaError_t update_exec(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info);

// The nodes inside a child graph node.
[[nodiscard]] cudaError_t set_exec_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child);

}  // namespace reprise_runtime::graph
