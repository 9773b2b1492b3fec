// Updates one node of an executable graph: its parameters, or whether it is enabled.
#pragma once

#include <driver_types.h>

#include "base/devices.h"
#include "graph/update/exec_editor.h"
#include "graph/update/update_limits.h"
#include "graph/update/update_refusal.h"

namespace reprise_runtime::graph {

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

// The node of the entry does `work` from now on, which is of its type.
template <class T>
[[nodiscard]] cudaError_t change_node(ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry,
                                      cudaGraphNode_t node, const T& work) {
  if (Obstacle obstacle = find_obstacle(index, entry, work, current_device())) {
    return cannot_change(node, entry.type, obstacle);
  }
  ChangeList changes;
  changes.add(index, entry, work);
  editor.commit(std::move(changes));
  return cudaSuccess;
}

// Any node but a kernel, which keeps its attributes.
template <class T>
[[nodiscard]] cudaError_t set_exec_work(cudaGraphExec_t exec, cudaGraphNode_t node, const Result<T>& work) {
  if (!work.ok()) return refuse_node(node, work.status());
  return with_exec_node(exec, node, [&](ExecEditor& editor, ExecIndex& index, ExecIndex::Entry& entry) {
    if (entry.type != type_for<T>()) return other_type_in_exec(node, entry.type, type_for<T>());
    return change_node(editor, index, entry, node, *work);
  });
}

[[nodiscard]] cudaError_t set_exec_kernel(cudaGraphExec_t exec, cudaGraphNode_t node,
                                          const cudaKernelNodeParams& parameters);

[[nodiscard]] cudaError_t set_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, bool enabled);
[[nodiscard]] cudaError_t get_enabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled);

}  // namespace reprise_runtime::graph
