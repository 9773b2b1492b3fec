// Changes of an executable graph, for the launches from now on.
//
// Thread safety: an editor holds the executable graph's mutex as long as it lives. Mutexes of graphs are taken after
// that, never before it.
#pragma once

#include "graph/plan/exec.h"

namespace reprise_runtime::graph {

class ExecEditor {
 public:
  explicit ExecEditor(GraphExec& exec);
  ~ExecEditor() REPRISE_NO_THREAD_SAFETY_ANALYSIS {}
  ExecEditor(const ExecEditor&) = delete;
  ExecEditor& operator=(const ExecEditor&) = delete;

  // That the graph was instantiated with, all of them.
  unsigned long long flags() const { return exec_.asked_flags(); }
  ExecIndex& exec_index() { return plan_.exec_index(); }
  // Whether changes are made at once: no launch is queued or running, nor can device code launch the graph.
  bool idle() const { return idle_; }
  // Those that the next launch makes, if it is not idle.
  ChangeList& pending() { return pending_; }
  UpdateRoom& update_room() {
    if (!update_room_) update_room_ = std::make_unique<UpdateRoom>();
    return *update_room_;
  }
  bool has_updatable_nodes() { return plan_.scope().has_updatable_nodes(); }

  // The node of the graph that was instantiated, or of one inside it; null when it is not among them.
  const NodePlace* find(cudaGraphNode_t node);

  // Each of these has changed nothing when there is no memory for it.

  // What the node does; of the same type as before.
  template <class T>
  void set(ExecIndex& index, ExecIndex::Entry& entry, const T& work) {
    if (change_event(index, entry, work)) return;
    if (idle_) {
      PlanChange::prepare(*index.plan, entry.step, work);
      PlanChange::set(*index.plan, entry.step, work);
    } else if (!set_arguments_later(index, entry, work, places_of(index, entry))) {
      pending_.set(*index.plan, entry.step, work, *places_of(index, entry));
    }
  }
  // A kernel, among all nodes, for now: it can be taken back, by `former` or by dropping pending arguments. False: not
  // done.
  bool set_for_now(ExecIndex& index, const ExecIndex::Entry& entry, const KernelWork& work, FormerKernels& former) {
    if (idle_) return PlanChange::set_kernel(*index.plan, entry.step, work, former);
    return set_arguments_later(index, entry, work, nullptr);
  }
  // Of a kernel of which nothing but the arguments changes. False: more changes, or something about them is wrong.
  bool set_arguments(ExecIndex& index, const ExecIndex::Entry& entry, const cudaKernelNodeParams& parameters) {
    if (idle_) return PlanChange::set_arguments(*index.plan, entry.step, parameters);
    return set_arguments_later(index, entry, parameters, places_of(index, entry));
  }
  void enable(ExecIndex& index, ExecIndex::Entry& entry, bool enabled);

  // ---- many nodes at once: what needs memory comes first, for all of them
  // ---------------------------------------------

  // While a launch is queued, for one among all nodes. False: there is nothing left to do for it.
  template <class T>
  bool stage_among_all(ExecIndex& index, uint32_t entry, const T& work) {
    if constexpr (is_event<T>) return true;
    PendingPlaces* const places = std::is_same_v<T, KernelWork> ? &places_at(index, entry) : nullptr;
    pending_.stage(*index.plan, index.entries[entry].step, work, places);
    return places;
  }
  // The same for one of some nodes: whether it was staged as arguments.
  template <class T>
  bool stage(ExecIndex& index, const ExecIndex::Entry& entry, const T& work) {
    if constexpr (is_event<T>) return false;
    PendingPlaces& places = *places_of(index, entry);
    if constexpr (std::is_same_v<T, KernelWork>) {
      if (steps_stay_ && pending_.stage_arguments(*index.plan, entry.step, work, places)) return true;
    }
    pending_.stage(*index.plan, entry.step, work, &places);
    return false;
  }
  // When no launch is queued; kernels are prepared.
  template <class T>
  void apply(ExecIndex& index, ExecIndex::Entry& entry, const T& work) noexcept {
    if (!change_event(index, entry, work)) PlanChange::set(*index.plan, entry.step, work);
  }
  // What was staged, in the order of staging.
  template <class T>
  void settle(ExecIndex& index, ExecIndex::Entry& entry, const T& work, bool arguments,
              ChangeList::Settling& settling) noexcept {
    if (change_event(index, entry, work)) return;
    PendingPlaces& places = *places_of(index, entry);
    arguments ? settling.settle_arguments(places) : settling.settle(work, places);
  }
  // Among all nodes: kernels that were staged have places again, and events are changed.
  void note_kernel(ExecIndex& index, uint32_t entry, size_t number) noexcept {
    pending_.note_kernel(index.pending[entry], number);
  }
  template <class T>
  void settle_event(ExecIndex& index, ExecIndex::Entry& entry, const T& work) noexcept {
    change_event(index, entry, work);
  }
  // What the launches from now on do with graph memory. The launches that are queued have got theirs.
  void replace_memory(std::unique_ptr<memory::GraphMemoryUse> use) noexcept { plan_.set_memory(std::move(use)); }
  // The user objects of a graph that the nodes were changed by, for those of before. Those are let go, unless a launch
  // is queued that needs them: then by the next one, or with the last. There is room to keep them.
  void replace_objects(ExecIndex& index, HeldObjects& now) noexcept {
    now.swap(index.objects);
    if (!idle_) pending_.retire(std::move(now));
  }

 private:
  // Whether a launch or upload that is queued or runs changes more of kernels than arguments.
  static bool kernels_change(GraphExec& exec);
  // `T` is KernelWork or cudaKernelNodeParams; the work of other nodes is changed as a whole.
  template <class T>
  bool set_arguments_later(ExecIndex& index, const ExecIndex::Entry& entry, const T& to, PendingPlaces* places) {
    if constexpr (std::is_same_v<T, KernelWork> || std::is_same_v<T, cudaKernelNodeParams>) {
      return steps_stay_ && pending_.set_arguments(*index.plan, entry.step, to, places);
    }
    return false;
  }
  // Null if changes are made at once.
  PendingPlaces* places_of(ExecIndex& index, const ExecIndex::Entry& entry) {
    if (idle_) return nullptr;
    return &places_at(index, static_cast<size_t>(&entry - index.entries.data()));
  }
  static PendingPlaces& places_at(ExecIndex& index, size_t entry) {
    if (index.pending.empty()) [[unlikely]]
      index.pending.resize(index.node_count());
    return index.pending[entry];
  }
  // A launch finds its events when it is queued, so they can be changed at once.
  template <class T>
  static constexpr bool is_event = std::is_same_v<T, op::EventRecord> || std::is_same_v<T, op::EventWait>;
  bool change_event(ExecIndex& index, ExecIndex::Entry& entry, const op::EventRecord& work) noexcept;
  bool change_event(ExecIndex& index, ExecIndex::Entry& entry, const op::EventWait& work) noexcept;
  template <class T>
  bool change_event(ExecIndex&, ExecIndex::Entry&, const T&) noexcept {
    return false;
  }

  const MutexLock lock_;
  GraphExec& exec_;
  Plan& plan_;
  ChangeList& pending_;
  std::unordered_map<uint64_t, NodePlace>& places_;
  std::unique_ptr<UpdateRoom>& update_room_;
  const bool idle_;
  const bool steps_stay_;  // nobody changes more of a kernel's step than its arguments before pending changes are made
};

}  // namespace reprise_runtime::graph
