// Drawings of graphs, in the language of Graphviz.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::graph {

// `flags` are cudaGraphDebugDotFlags; unknown ones change nothing.
[[nodiscard]] cudaError_t print_dot(cudaGraph_t handle, const char* path, unsigned flags);

}  // namespace reprise_runtime::graph
