// Changes of an executable graph that its next launch makes, since launches before it are queued or running.
//
// Thread safety: guarded by the mutex of the executable graph until the launch takes it over.
#pragma once

#include "graph/plan/queued_changes.h"
#include "graph/update/change_list.h"

namespace reprise_runtime::graph {

class PendingChanges final : public QueuedChanges {
 public:
  explicit PendingChanges(size_t nodes) : most_(4 * nodes) {}

  // Finds the memory for an add() of `changes`.
  void reserve(const ChangeList& changes);
  // Appends the changes of steps, and keeps the user objects that the update replaced: launches that are queued may
  // still use them, so they are released by the next launch, as on an H200. With `all_nodes` set, the changes replace
  // all earlier ones, except those of whether a node is enabled.
  void add(ChangeList& changes, bool all_nodes) noexcept;
  void apply() noexcept override;

  size_t count() const { return count_; }

 private:
  // The last change of each step stays, and the last of whether it is enabled.
  void drop_superseded();
  template <class Drop>
  void drop_if(Drop&& drop);

  const size_t most_;  // changes, at which superseded ones are dropped; at most half of it are left
  std::vector<std::vector<StepChange>> batches_;  // in the order in which they are applied
  size_t count_ = 0;                              // of changes in all batches
  std::vector<HeldObjects> objects_;
};

}  // namespace reprise_runtime::graph
