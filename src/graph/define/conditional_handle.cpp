#include "graph/define/conditional_handle.h"

#include "graph/define/access.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

cudaError_t create_condition(cudaGraphConditionalHandle* out, cudaGraph_t handle, unsigned value, unsigned flags) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (flags & ~static_cast<unsigned>(cudaGraphCondAssignDefault)) {
    return refuse(cudaErrorInvalidValue, "flags are 0x%x; they must be 0 or cudaGraphCondAssignDefault", flags);
  }
  return with_graph(handle, [&](Graph& graph) {
    const Handle root = root_of(graph);
    Ref<Graph> outermost = graphs().find(root);
    const size_t place = outermost ? outermost->count_condition() : 0;
    Ref<Condition> made = conditions().create(root, current_device(), place, value, flags != 0);
    if (!made) return cudaErrorMemoryAllocation;
    *out = made->as_user();
    graph.conditions().emplace_back(made.detach(), [](Condition* gone) {
      conditions().erase(gone->handle());
      gone->release();
    });
    return cudaSuccess;
  });
}

}  // namespace reprise_runtime::graph
