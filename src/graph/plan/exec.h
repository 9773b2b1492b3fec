// An executable graph: a plan, and the order of its launches.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. Launches run in the order in which they were launched, one after the other, in whichever streams they are.
//  2. A launch holds the plan, so it runs to its end whatever happens to the executable graph.
//  3. While no launch is queued or running, an update changes the plan itself (graph/update). Otherwise the next launch
//     makes its changes before it begins, after the launches before it. So a launch runs the graph as it was when it
//     was queued. Changes of a graph that device code launches are made by the next launch from the host, or upload.
#pragma once

#include <driver_types.h>

#include <memory>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "exec/progress.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

// Conditions that have a value at each launch get it.
void begin_conditions(Plan& plan);

// One launch: a task for a lane.
struct Launch {
  Ref<Plan> plan;
  std::unique_ptr<LaunchEvents> events;             // null when the plan has none
  std::shared_ptr<QueuedChanges> changes;           // made since the launch before this one was queued; mostly null
  std::unique_ptr<memory::GraphMappings> mappings;  // of graph memory that it needs; mostly null
  std::unique_ptr<BlockingCopies::Launch> copies;   // that cudaGraphLaunch waits for; mostly null

  void run() const {
    LaunchScope& scope = plan->scope();
    if (scope.launchable()) [[unlikely]]
      scope.launch_lock().lock();
    if (mappings) [[unlikely]]
      map_memory();
    if (changes) [[unlikely]]
      changes->apply();
    if (!plan->conditionals().empty()) [[unlikely]]
      begin_conditions(*plan);
    if (copies) [[unlikely]]
      plan->blocking_copies().start(*copies);
    plan->replay(events.get());
    if (copies) [[unlikely]]
      plan->blocking_copies().finish(*copies);
    scope.end_launch(*plan);
  }

 private:
  void map_memory() const;
};

// Makes queued changes in stream order, without a launch.
struct Upload {
  Ref<Plan> plan;
  std::shared_ptr<QueuedChanges> changes;

  void run() const {
    plan->scope().launch_lock().lock();
    changes->apply();
    plan->scope().launch_lock().unlock();
  }
};

class GraphExec : public Handled<GraphExec> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_exec;

  GraphExec(Ref<Plan> plan, unsigned long long flags, unsigned long long asked_flags)
      : flags_(flags), asked_flags_(asked_flags), plan_(std::move(plan)) {}
  ~GraphExec() REPRISE_NO_THREAD_SAFETY_ANALYSIS { plan_->keep(std::move(queued_changes_)); }

  // Those that cudaGraphExecGetFlags returns, and all that the graph was instantiated with.
  unsigned long long flags() const { return flags_; }
  unsigned long long asked_flags() const { return asked_flags_; }

  Ref<Plan> plan() REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return plan_;
  }

  // For a graph that device code launches: it gets the changes that the host has asked for. submit(Upload, after) as
  // below; there may be nothing to submit.
  template <class Submit>
  void upload(Submit&& submit) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (!plan_->scope().launchable()) return;
    plan_->scope().set_uploaded();
    if (!queued_changes_) return;
    last_ = submit(Upload{plan_, queued_changes_}, last_);
    queued_changes_ = nullptr;
  }

  // Queues a launch: submit(plan, make, after) puts what make() gives where it runs after the marker `after` is
  // reached, and returns the marker of its own end. If it fails it has not called make.
  template <class Submit>
  [[nodiscard]] cudaError_t launch(Submit&& submit) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto make = [&]() REPRISE_NO_THREAD_SAFETY_ANALYSIS {
      Launch launch{plan_, nullptr, queued_changes_, nullptr, nullptr};
      if (!plan_->events().empty()) [[unlikely]] {
        launch.events = std::make_unique<LaunchEvents>();
        plan_->events().begin(*launch.events);
      }
      if (plan_->blocking_copies().count() != 0) [[unlikely]]
        launch.copies = std::make_unique<BlockingCopies::Launch>(plan_->blocking_copies().begin_launch());
      if (plan_->scope().launchable()) [[unlikely]]
        plan_->scope().set_uploaded();
      return launch;
    };
    // Changes stay queued if there is no memory for the launch.
    Result<exec::Marker> end = submit(*plan_, make, last_);
    if (!end.ok()) return end.status();
    last_ = *end;
    queued_changes_ = nullptr;
    return cudaSuccess;
  }

  // use(GraphMemoryUse) if it uses graph memory.
  template <class Use>
  [[nodiscard]] cudaError_t with_memory(Use&& use) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return plan_->memory() ? use(*plan_->memory()) : cudaSuccess;
  }

  // ---- for updates, with the mutex held -----------------------------------------------------------------------------

  Mutex& mutex() REPRISE_RETURN_CAPABILITY(mutex_) { return mutex_; }
  Plan& locked_plan() REPRISE_REQUIRES(mutex_) { return *plan_; }
  // No launch is queued or running, nor can device code launch the graph.
  bool idle() const REPRISE_REQUIRES(mutex_) { return last_.reached() && !plan_->scope().launchable(); }
  // For the next launch or upload to make; null if there are none.
  std::shared_ptr<QueuedChanges>& queued_changes() REPRISE_REQUIRES(mutex_) { return queued_changes_; }
  // Empty until somebody fills it in; see find_places().
  NodePlaces& node_places() REPRISE_REQUIRES(mutex_) { return node_places_; }

 private:
  const unsigned long long flags_, asked_flags_;
  Mutex mutex_;
  Ref<Plan> plan_ REPRISE_GUARDED_BY(mutex_);
  exec::Marker last_ REPRISE_GUARDED_BY(mutex_);  // the end of the last launch
  std::shared_ptr<QueuedChanges> queued_changes_ REPRISE_GUARDED_BY(mutex_);
  NodePlaces node_places_ REPRISE_GUARDED_BY(mutex_);
};

inline HandleTable<GraphExec>& execs() { return HandleTable<GraphExec>::instance(); }

// Null when the handle names none.
Ref<GraphExec> find_exec(cudaGraphExec_t handle);
[[gnu::cold]] cudaError_t no_such_exec(cudaGraphExec_t handle);
[[nodiscard]] cudaError_t destroy_exec(cudaGraphExec_t handle);

// The result of an instantiation; `error_node` is the node that prevents it, if a single one does.
struct Instantiated {
  Ref<GraphExec> exec;
  cudaGraphInstantiateResult result = cudaGraphInstantiateError;
  cudaGraphNode_t error_node = nullptr;
  cudaError_t status = cudaErrorInvalidValue;
};
Instantiated instantiate(cudaGraph_t graph, unsigned long long flags);

}  // namespace reprise_runtime::graph
