// Drawings of graphs in Graphviz' DOT language.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::graph {

// `flags` are cudaGraphDebugDotFlags; unknown ones are ignored.
[[nodiscard]] cudaError_t print_dot(cudaGraph_t handle, const char* path, unsigned flags);

}  // namespace reprise_runtime::graph
