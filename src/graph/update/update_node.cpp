#include "graph/update/update_node.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

cudaError_t refuse_node(cudaGraphNode_t node, cudaError_t refused) {
  return diagnose::refuse_of(refused, "node %p", static_cast<void*>(node));
}

cudaError_t no_parameters(cudaGraphNode_t node) {
  return refuse_node(node, refuse(cudaErrorInvalidValue, "the parameters are null"));
}

cudaError_t not_in_exec(cudaGraphNode_t node) {
  return refuse(cudaErrorInvalidValue, "node %p is not one of the graph that was instantiated, or no longer there",
                static_cast<void*>(node));
}

cudaError_t other_type_in_exec(cudaGraphNode_t node, cudaGraphNodeType type, cudaGraphNodeType wanted,
                               cudaError_t code) {
  return refuse(code, "node %p is %s, not %s", static_cast<void*>(node), describe(type), describe(wanted));
}

cudaError_t cannot_change(cudaGraphNode_t node, cudaGraphNodeType type, const Obstacle& obstacle, cudaError_t code) {
  return refuse(code, "node %p, %s: the %s cannot change in an executable graph", static_cast<void*>(node),
                describe(type), obstacle.field);
}

namespace {

// Those of its attributes that decide how a kernel runs.
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
  return refuse(cudaErrorInvalidValue, "node %p is %s: only kernels, copies and sets can be disabled",
                static_cast<void*>(node), describe(type));
}

}  // namespace

cudaError_t set_exec_kernel(cudaGraphExec_t exec, cudaGraphNode_t node, const cudaKernelNodeParams& parameters) {
  const cudaError_t status =
      with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
        if (entry.type != cudaGraphNodeTypeKernel) return other_type_in_exec(node, entry.type, cudaGraphNodeTypeKernel);
        // What ran before with other arguments needs no look at the rest.
        const bool plain = entry.device == current_device() && !parameters.extra;
        if (plain && editor.set_arguments(index, entry, parameters)) return cudaSuccess;
        Result<KernelWork> work = KernelWork::build(parameters, attributes_of(entry));
        if (!work.ok()) return refuse_node(node, work.status());
        if (Obstacle obstacle = find_obstacle(index, entry, *work, current_device())) {
          return cannot_change(node, entry.type, obstacle);
        }
        editor.set(index, entry, *work);
        return cudaSuccess;
      });
  if (status != cudaErrorInvalidValue) [[likely]]
    return status;
  // A wrong function is told before a wrong node.
  const cudaError_t wrong = KernelWork::check_function(parameters.func);
  return wrong == cudaSuccess ? status : refuse_node(node, wrong);
}

cudaError_t set_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, bool enabled) {
  return with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
    if (!can_be_disabled(entry.type)) return cannot_be_disabled(node, entry.type);
    editor.enable(index, entry, enabled);
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
