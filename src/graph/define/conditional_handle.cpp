#include "graph/define/conditional_handle.h"

#include "base/export.h"
#include "graph/define/access.h"
#include "graph/device_launch/device_refusal.h"
#include "kernel/kernel_abi.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

cudaError_t create_condition(cudaGraphConditionalHandle* out, cudaGraph_t handle, unsigned value, unsigned flags) {
  if (!out) return refuse(cudaErrorInvalidValue, "no place for the handle");
  if (flags & ~static_cast<unsigned>(cudaGraphCondAssignDefault)) {
    return refuse(cudaErrorInvalidValue, "flags are 0x%x; only cudaGraphCondAssignDefault means something", flags);
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

extern "C" REPRISE_EXPORT void __reprise_graph_set_conditional(uint64_t handle, uint32_t value) {
  if (auto condition = reprise_runtime::graph::conditions().find(reprise_runtime::Handle{handle}))
    return condition->set(value);
  // Undefined on a GPU.
  reprise_runtime::graph::warn_device(
      "cudaGraphSetConditional", "0x%llx is no condition: its graph was destroyed, or it never was one; nothing is set",
      static_cast<unsigned long long>(handle));
}
