// Handles of conditional nodes.
#include "api/graph/graph_entry.h"
#include "graph/define/conditional_handle.h"

using namespace reprise_runtime;

extern "C" {

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* out, cudaGraph_t graph, unsigned int value,
                                             unsigned int flags) {
  return api::entry([&] { return graph::create_condition(out, graph, value, flags); },
                    ARGUMENTS(out, graph, value, flags));
}
}
