// One node of an executable graph: its parameters, and whether it is enabled.
#pragma once

#include <driver_types.h>

#include "base/devices.h"
#include "diagnose/refuse.h"
#include "graph/update/exec_editor.h"
#include "graph/update/update_limits.h"

namespace reprise_runtime::graph {

// `refused` comes from something that knows nothing of the node: the log then names it.
[[gnu::cold]] cudaError_t refuse_node(cudaGraphNode_t node, cudaError_t refused);
[[gnu::cold]] cudaError_t no_parameters(cudaGraphNode_t node);
[[gnu::cold]] cudaError_t not_in_exec(cudaGraphNode_t node);
// `code` is what the call will return: the log drops words about another error.
[[gnu::cold]] cudaError_t other_type_in_exec(cudaGraphNode_t node, cudaGraphNodeType type, cudaGraphNodeType wanted,
                                             cudaError_t code = cudaErrorInvalidValue);
[[gnu::cold]] cudaError_t cannot_change(cudaGraphNode_t node, cudaGraphNodeType type, const Obstacle& obstacle,
                                        cudaError_t code = cudaErrorInvalidValue);

// use(ExecEditor&, ExecIndex&, ExecIndex::Entry&) for a node of the executable graph.
template <class Use>
[[nodiscard]] cudaError_t with_exec_node(cudaGraphExec_t exec_handle, cudaGraphNode_t node, Use&& use) {
  Ref<GraphExec> exec = find_exec(exec_handle);
  if (!exec) return refuse_node(node, no_such_exec(exec_handle));
  ExecEditor editor(*exec);
  const NodePlace* place = editor.find(node);
  if (!place) return not_in_exec(node);
  return use(editor, *place->index, place->index->entries[place->entry]);
}

// The node's work, of the same type as before.
template <class T>
[[nodiscard]] cudaError_t set_exec_work(cudaGraphExec_t exec, cudaGraphNode_t node, const Result<T>& work) {
  if (!work.ok()) return refuse_node(node, work.status());
  return with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
    if (entry.type != type_for<T>()) return other_type_in_exec(node, entry.type, type_for<T>());
    if (Obstacle obstacle = find_obstacle(index, entry, *work, current_device())) {
      return cannot_change(node, entry.type, obstacle);
    }
    editor.set(index, entry, *work);
    return cudaSuccess;
  });
}

// A kernel node keeps its attributes.
[[nodiscard]] cudaError_t set_exec_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
                                          const cudaKernelNodeParams& parameters);

[[nodiscard]] cudaError_t set_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, bool enabled);
[[nodiscard]] cudaError_t get_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled);

}  // namespace reprise_runtime::graph
