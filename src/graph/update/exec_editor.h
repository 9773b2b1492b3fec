// Access to an executable graph for one update: it looks up nodes, and it makes the changes at once or leaves them to
// the next launch.
//
// Thread safety: an editor holds the mutex of the executable graph as long as it lives. Mutexes of graphs are taken
// after it, never before.
#pragma once

#include "graph/plan/exec.h"
#include "graph/update/change_list.h"
#include "graph/update/pending_changes.h"

namespace reprise_runtime::graph {

class ExecEditor {
 public:
  explicit ExecEditor(GraphExec& exec);
  ~ExecEditor() REPRISE_NO_THREAD_SAFETY_ANALYSIS {}
  ExecEditor(const ExecEditor&) = delete;
  ExecEditor& operator=(const ExecEditor&) = delete;

  // Those that the graph was instantiated with.
  unsigned long long flags() const { return exec_.asked_flags(); }
  ExecIndex& index() { return plan_.exec_index(); }
  bool has_updatable_nodes() { return plan_.scope().has_updatable_nodes(); }
  // A node of the graph that was instantiated, or of one inside it; null if the handle names no such node, or one that
  // was destroyed.
  const NodePlace* find(cudaGraphNode_t node);

  enum class Extent { some_nodes, all_nodes };
  // Makes all changes: at once if no launch is queued or running, else the next launch makes those of steps. Throws
  // std::bad_alloc before it has changed anything.
  void commit(ChangeList&& changes, Extent extent = Extent::some_nodes);
  // What launches from now on do with graph memory. Queued ones have got theirs.
  void replace_memory(std::unique_ptr<memory::GraphMemoryUse> use) noexcept { plan_.set_memory(std::move(use)); }

  // How many changes of steps wait for the next launch.
  size_t pending_count() const { return queued_ ? static_cast<PendingChanges&>(*queued_).count() : 0; }

 private:
  void make(ChangeList& changes, Extent extent) noexcept;

  const MutexLock lock_;
  GraphExec& exec_;
  Plan& plan_;
  std::shared_ptr<QueuedChanges>& queued_;  // PendingChanges, or null
  NodePlaces& places_;
  const bool idle_;
};

}  // namespace reprise_runtime::graph
