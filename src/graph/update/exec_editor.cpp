#include "graph/update/exec_editor.h"

#include "graph/define/node.h"

namespace reprise_runtime::graph {

ExecEditor::ExecEditor(GraphExec& exec) REPRISE_NO_THREAD_SAFETY_ANALYSIS : lock_(exec.mutex()),
                                                                            exec_(exec),
                                                                            plan_(exec.locked_plan()),
                                                                            queued_(exec.queued_changes()),
                                                                            places_(exec.node_places()),
                                                                            idle_(exec.idle()) {
  // The launches that these changes had to wait for have ended.
  if (!idle_ || !queued_) return;
  queued_->apply();
  queued_ = nullptr;
}

const NodePlace* ExecEditor::find(cudaGraphNode_t handle) {
  const Handle node = Handle::from(handle);
  if (places_.empty()) [[unlikely]]
    places_ = find_places(index());
  auto found = places_.find(node.bits);
  return found != places_.end() && nodes().names_live(node) ? &found->second : nullptr;
}

void ExecEditor::commit(ChangeList&& changes, Extent extent) {
  if (!idle_) {
    if (!queued_) queued_ = std::make_shared<PendingChanges>(index().total_node_count());
    static_cast<PendingChanges&>(*queued_).reserve(changes);
  }
  make(changes, extent);
}

void ExecEditor::make(ChangeList& changes, Extent extent) noexcept {
  for (EventChange& change : changes.events) change.apply();
  for (BlockingChange& change : changes.blocking) change.apply();
  // `changes` receives the user objects that are replaced.
  for (ObjectsChange& change : changes.objects) change.objects.swap(change.index->objects);
  if (idle_) {
    for (StepChange& change : changes.steps) apply(change);
  } else {
    static_cast<PendingChanges&>(*queued_).add(changes, extent == Extent::all_nodes);
  }
}

}  // namespace reprise_runtime::graph
