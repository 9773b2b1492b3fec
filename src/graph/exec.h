// An executable graph: a plan, and the order of its launches.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. Launches run in the order in which they were launched, one after the other, in whichever streams they are.
//  2. A launch holds the plan, so it runs to its end whatever happens to the executable graph.
#pragma once

#include <driver_types.h>

#include <memory>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "exec/progress.h"
#include "graph/plan.h"

namespace reprise::graph {

// One launch: a task for a lane.
struct Launch {
  Ref<Plan> plan;
  std::unique_ptr<LaunchEvents> events;  // null when the plan has none

  void run() const { plan->replay(events.get()); }
};

class GraphExec : public Handled<GraphExec> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_exec;

  GraphExec(Ref<Plan> plan, unsigned long long flags) : flags_(flags), plan_(std::move(plan)) {}

  unsigned long long flags() const { return flags_; }

  // Queues a launch: submit(Launch, after) puts it where it runs after the marker `after` is reached, and returns the
  // marker of its own end.
  template <class Submit>
  void launch(Submit&& submit) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    Launch launch{plan_, nullptr};
    if (!plan_->events().empty()) [[unlikely]] launch.events = std::make_unique<LaunchEvents>(plan_->events().begin());
    last_ = submit(std::move(launch), last_);
  }

 private:
  const unsigned long long flags_;
  Mutex mutex_;
  Ref<Plan> plan_ REPRISE_GUARDED_BY(mutex_);
  exec::Marker last_ REPRISE_GUARDED_BY(mutex_);  // the end of the last launch
};

inline HandleTable<GraphExec>& execs() { return HandleTable<GraphExec>::instance(); }

// Null when the handle names none.
Ref<GraphExec> find_exec(cudaGraphExec_t handle);
[[gnu::cold]] cudaError_t no_such_exec(cudaGraphExec_t handle);
[[nodiscard]] cudaError_t destroy_exec(cudaGraphExec_t handle);

// What instantiating came to; `stuck` is the node that stood in the way, if one did.
struct Instantiated {
  Ref<GraphExec> exec;
  cudaGraphInstantiateResult result = cudaGraphInstantiateError;
  cudaGraphNode_t stuck = nullptr;
  cudaError_t status = cudaErrorInvalidValue;
};
Instantiated instantiate(cudaGraph_t graph, unsigned long long flags);

}  // namespace reprise::graph
