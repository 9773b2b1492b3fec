#include "graph/update/exec_editor.h"

#include "graph/define/node.h"
#include "graph/plan/op_step.h"

namespace reprise_runtime::graph {

bool ExecEditor::kernels_change(GraphExec& exec) REPRISE_NO_THREAD_SAFETY_ANALYSIS {
  if (exec.last_.reached()) exec.kernels_change_ = false;
  return exec.kernels_change_;
}

ExecEditor::ExecEditor(GraphExec& exec) REPRISE_NO_THREAD_SAFETY_ANALYSIS
    : lock_(exec.mutex_),
      exec_(exec),
      plan_(*exec.plan_),
      pending_(exec.pending_),
      places_(exec.places_),
      update_room_(exec.update_room_),
      idle_(exec.last_.reached() && !exec.plan_->scope().launchable()),
      steps_stay_(!kernels_change(exec) && !exec.plan_->scope().has_updatable_nodes()) {
  if (!idle_) return;
  // Nobody is left who would make them before this thread does. They stay until they are made.
  if (pending_.empty()) return;
  pending_.apply();
  pending_ = {};
}

namespace {

void note_places(ExecIndex& index, std::unordered_map<uint64_t, NodePlace>& places) {
  for (uint32_t i = 0; i < index.node_count(); ++i) {
    places.emplace(index.entries[i].node.bits, NodePlace{&index, i});
  }
  for (auto& inside : index.inside) note_places(*inside, places);
}

}  // namespace

const NodePlace* ExecEditor::find(cudaGraphNode_t handle) {
  const Handle node = Handle::from(handle);
  if (places_.empty()) [[unlikely]] {
    std::unordered_map<uint64_t, NodePlace> all;  // or none
    note_places(exec_index(), all);
    places_ = std::move(all);
  }
  auto found = places_.find(node.bits);
  return found != places_.end() && nodes().names_live(node) ? &found->second : nullptr;
}

void ExecEditor::enable(ExecIndex& index, ExecIndex::Entry& entry, bool enabled) {
  // Device code may have changed it meanwhile.
  if (entry.enabled == enabled && !has_updatable_nodes()) return;
  if (idle_) {
    PlanChange::enable(*index.plan, entry.step, entry.type, enabled);
  } else {
    pending_.enable(*index.plan, entry.step, entry.type, enabled, *places_of(index, entry));
  }
  entry.enabled = enabled;
}

bool ExecEditor::change_event(ExecIndex& index, ExecIndex::Entry& entry, const op::EventRecord& work) noexcept {
  index.plan->events().change_record(PlanChange::event_number(*index.plan, entry.step), work.event);
  return true;
}

bool ExecEditor::change_event(ExecIndex& index, ExecIndex::Entry& entry, const op::EventWait& work) noexcept {
  index.plan->events().change_wait(PlanChange::event_number(*index.plan, entry.step), work.event);
  return true;
}

}  // namespace reprise_runtime::graph
