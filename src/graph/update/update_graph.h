// A whole executable graph, or a child graph in it, updated from another graph of the same topology: everything, or
// nothing when something cannot change.
#pragma once

#include <driver_types.h>

#include "graph/update/update_pairing.h"

namespace reprise_runtime::graph {

// `info`, which may be null, is told only what comes of an update that is possible to begin with.
[[nodiscard]] cudaError_t update_exec(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info);

// The nodes inside a child graph node.
[[nodiscard]] cudaError_t set_exec_child(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child);

}  // namespace reprise_runtime::graph
