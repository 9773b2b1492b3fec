#include "graph/update/update_node.h"

namespace reprise_runtime::graph {
namespace {

// The attributes of the kernel that decide how it is launched.
kernel::LaunchAttributes attributes_of(const ExecIndex::Entry& entry) {
  kernel::LaunchAttributes attributes;
  if (entry.cooperative) {
    cudaLaunchAttributeValue value = {};
    value.cooperative = 1;
    attributes.set(cudaLaunchAttributeCooperative, value);
  }
  return attributes;
}

bool can_be_disabled(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy || type == cudaGraphNodeTypeMemset;
}

cudaError_t cannot_be_disabled(cudaGraphNode_t node, cudaGraphNodeType type) {
  return diagnose::refuse(cudaErrorInvalidValue, "node %p is %s: only kernels, copies and sets can be disabled",
                          static_cast<void*>(node), describe(type));
}

}  // namespace

cudaError_t set_exec_kernel(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams& parameters) {
  const cudaError_t status =
      with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
        if (entry.type != cudaGraphNodeTypeKernel) return other_type_in_exec(node, entry.type, cudaGraphNodeTypeKernel);
        Result<KernelWork> work = KernelWork::build(parameters, attributes_of(entry));
        if (!work.ok()) return refuse_node(node, work.status());
        return change_node(editor, index, entry, node, *work);
      });
  if (status != cudaErrorInvalidValue) [[likely]]
    return status;
  // A wrong function is reported before a wrong node.
  const cudaError_t wrong = KernelWork::check_function(parameters.func);
  return wrong == cudaSuccess ? status : refuse_node(node, wrong);
}

cudaError_t set_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, bool enabled) {
  return with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
    if (!can_be_disabled(entry.type)) return cannot_be_disabled(node, entry.type);
    // Device code may have changed the state since.
    if (entry.enabled == enabled && !editor.has_updatable_nodes()) return cudaSuccess;
    ChangeList changes;
    changes.add_enabled(index, entry, enabled);
    editor.commit(std::move(changes));
    if (entry.blocking_copy && entry.enabled != enabled) index.plan->blocking_copies().change(entry.enabled, enabled);
    entry.enabled = enabled;
    return cudaSuccess;
  });
}

cudaError_t get_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return with_exec_node(exec, node, [&](ExecEditor&, ExecIndex&, ExecIndex::Entry& entry) {
    if (!can_be_disabled(entry.type)) return cannot_be_disabled(node, entry.type);
    *enabled = entry.enabled;
    return cudaSuccess;
  });
}

}  // namespace reprise_runtime::graph
