// Changes of an executable graph, for the launches from now on.
//
// Thread safety: an editor holds the executable graph's mutex as long as it lives. Mutexes of graphs are taken after that,
// never before it.
#pragma once

#include "graph/exec.h"

namespace reprise::graph {

class ExecEditor {
 public:
  explicit ExecEditor(GraphExec& exec);
  ~ExecEditor() REPRISE_NO_THREAD_SAFETY_ANALYSIS {}
  ExecEditor(const ExecEditor&) = delete;
  ExecEditor& operator=(const ExecEditor&) = delete;

  // That the graph was instantiated with, all of them.
  unsigned long long flags() const { return exec_.asked_flags(); }
  Outline& outline() { return plan_.outline(); }
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

  // What the node does; of the same type as before.
  template <class T>
  void set(Outline& outline, Outline::Entry& entry, const T& work) {
    change(outline, entry, work, places_of(outline, entry));
  }
  // The same for each of all nodes, where pending changes of before are superseded.
  template <class T>
  void set_with_all(Outline& outline, Outline::Entry& entry, const T& work) {
    change(outline, entry, work, std::is_same_v<T, KernelWork> ? places_of(outline, entry) : nullptr);
  }
  // A kernel, among all nodes, for now: it can be taken back, by `former` or by dropping pending arguments. False: not done.
  bool set_for_now(Outline& outline, const Outline::Entry& entry, const KernelWork& work, FormerKernels& former) {
    if (idle_) return PlanChange::set_kernel(*outline.plan, entry.step, work, former);
    return set_arguments_later(outline, entry, work, nullptr);
  }
  // Of a kernel of which nothing but the arguments changes. False: more changes, or something about them is wrong.
  bool set_arguments(Outline& outline, const Outline::Entry& entry, const cudaKernelNodeParams& parameters) {
    if (idle_) return PlanChange::set_arguments(*outline.plan, entry.step, parameters);
    return set_arguments_later(outline, entry, parameters, places_of(outline, entry));
  }
  void enable(Outline& outline, Outline::Entry& entry, bool enabled);
  // The user objects of a graph that the nodes were changed by. Those of before are let go, unless a launch is queued that
  // needs them: then by the next one, or with the last.
  void replace_objects(Outline& outline, const HeldObjects& now) {
    if (now.empty() && outline.objects.empty()) return;
    HeldObjects objects;
    objects.share(now);
    objects.swap(outline.objects);
    if (!idle_) pending_.retire(std::move(objects));
  }

 private:
  // Whether a launch or upload that is queued or runs changes more of kernels than arguments.
  static bool kernels_change(GraphExec& exec);
  template <class T>
  void change(Outline& outline, Outline::Entry& entry, const T& work, PendingPlaces* places) {
    if (change_event(outline, entry, work)) return;
    if (idle_) {
      PlanChange::set(*outline.plan, entry.step, work);
    } else if (!set_arguments_later(outline, entry, work, places)) {
      pending_.set(*outline.plan, entry.step, work, places);
    }
  }
  // `T` is KernelWork or cudaKernelNodeParams; the work of other nodes is changed as a whole.
  template <class T>
  bool set_arguments_later(Outline& outline, const Outline::Entry& entry, const T& to, PendingPlaces* places) {
    if constexpr (std::is_same_v<T, KernelWork> || std::is_same_v<T, cudaKernelNodeParams>) {
      return steps_stay_ && pending_.set_arguments(*outline.plan, entry.step, to, places);
    }
    return false;
  }
  // Null if changes are made at once.
  PendingPlaces* places_of(Outline& outline, const Outline::Entry& entry) {
    if (idle_) return nullptr;
    if (outline.pending.empty()) outline.pending.resize(outline.node_count());
    return &outline.pending[static_cast<size_t>(&entry - outline.entries.data())];
  }
  // A launch finds its events when it is queued, so they can be changed at once.
  bool change_event(Outline& outline, Outline::Entry& entry, const op::EventRecord& work);
  bool change_event(Outline& outline, Outline::Entry& entry, const op::EventWait& work);
  template <class T>
  bool change_event(Outline&, Outline::Entry&, const T&) {
    return false;
  }
  void note_places(Outline& outline);

  const MutexLock lock_;
  GraphExec& exec_;
  Plan& plan_;
  ChangeList& pending_;
  std::unordered_map<uint64_t, NodePlace>& places_;
  std::unique_ptr<UpdateRoom>& update_room_;
  const bool idle_;
  const bool steps_stay_;  // nobody changes more of a kernel's step than its arguments before pending changes are made
};

}  // namespace reprise::graph
