// An executable graph: a plan, and the order of its launches.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. Launches run in the order in which they were launched, one after the other, in whichever streams they are.
//  2. A launch holds the plan, so it runs to its end whatever happens to the executable graph.
//  3. The plan is changed by the thread that edits while no launch is queued or running, and otherwise by the next
//     launch, in its turn. So a launch runs the graph as it was when it was queued. A graph that device code launches
//     is changed by the next launch from the host, or upload, alone.
#pragma once

#include <driver_types.h>

#include <memory>
#include <unordered_map>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "exec/progress.h"
#include "graph/device_launch/environment.h"
#include "graph/plan/plan.h"
#include "graph/update/change_list.h"
#include "graph/update/update_room.h"

namespace reprise_runtime::graph {

// Conditions that have a value at each launch get it.
void begin_conditions(Plan& plan);

// One launch: a task for a lane.
struct Launch {
  Ref<Plan> plan;
  std::unique_ptr<LaunchEvents> events;             // null when the plan has none
  std::shared_ptr<ChangeList> changes;              // asked for since the launch before this one; mostly null
  std::unique_ptr<memory::GraphMappings> mappings;  // of graph memory that it needs; mostly null

  void run() const {
    LaunchScope& scope = plan->scope();
    if (scope.launchable()) [[unlikely]] {
      scope.turn().take();
      plan->set_untold(false);
    }
    if (mappings) [[unlikely]]
      map_memory();
    if (changes) [[unlikely]]
      changes->apply();
    if (!plan->conditionals().empty()) [[unlikely]]
      begin_conditions(*plan);
    plan->replay(events.get());
    if (scope.launchable() || scope.environment()) [[unlikely]]
      end_launch(*plan);
  }

 private:
  void map_memory() const;
};

// Changes made in their turn, without a launch.
struct Upload {
  Ref<Plan> plan;
  std::shared_ptr<ChangeList> changes;

  void run() const {
    plan->scope().turn().take();
    changes->apply();
    plan->scope().turn().give_back();
  }
};

// What a node of the graph that was instantiated became.
struct NodePlace {
  ExecIndex* index = nullptr;
  uint32_t entry = 0;
};

class GraphExec : public Handled<GraphExec> {
 public:
  static constexpr HandleType handle_type = HandleType::graph_exec;

  GraphExec(Ref<Plan> plan, unsigned long long flags, unsigned long long asked_flags)
      : flags_(flags), asked_flags_(asked_flags), plan_(std::move(plan)) {}
  ~GraphExec() REPRISE_NO_THREAD_SAFETY_ANALYSIS { pending_.leave_objects_to(*plan_); }

  // Those that CUDA tells.
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
    if (pending_.empty()) return;
    std::shared_ptr<ChangeList> taken = take_pending();
    try {
      last_ = submit(Upload{plan_, taken}, last_);
    } catch (...) {
      put_back(taken);
      throw;
    }
  }

  // Queues a launch: submit(plan, make, after) puts what make() gives where it runs after the marker `after` is
  // reached, and returns the marker of its own end. If it fails it has not called make.
  template <class Submit>
  [[nodiscard]] cudaError_t launch(Submit&& submit) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    std::shared_ptr<ChangeList> taken;
    const auto make = [&]() REPRISE_NO_THREAD_SAFETY_ANALYSIS {
      Launch launch{plan_, nullptr, nullptr, nullptr};
      if (!pending_.empty()) [[unlikely]]
        launch.changes = taken = take_pending();
      if (!plan_->events().empty()) [[unlikely]] {
        launch.events = std::make_unique<LaunchEvents>();
        plan_->events().begin(*launch.events);
      }
      if (plan_->scope().launchable()) [[unlikely]]
        plan_->scope().set_uploaded();
      return launch;
    };
    try {
      Result<exec::Marker> end = submit(*plan_, make, last_);
      if (end.ok()) last_ = *end;
      return end.status();
    } catch (...) {
      put_back(taken);
      throw;
    }
  }

  // use(GraphMemoryUse) if it uses graph memory.
  template <class Use>
  [[nodiscard]] cudaError_t with_memory(Use&& use) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return plan_->memory() ? use(*plan_->memory()) : cudaSuccess;
  }

 private:
  friend class ExecEditor;

  std::shared_ptr<ChangeList> take_pending() REPRISE_REQUIRES(mutex_) {
    auto taken = std::make_shared<ChangeList>();  // or there is no memory, and they stay
    kernels_change_ |= pending_.changes_kernels();
    std::swap(*taken, pending_);
    return taken;
  }
  // There was no memory for the launch that would have made them.
  void put_back(const std::shared_ptr<ChangeList>& taken) noexcept REPRISE_REQUIRES(mutex_) {
    if (taken) std::swap(*taken, pending_);
  }

  const unsigned long long flags_, asked_flags_;
  Mutex mutex_;
  Ref<Plan> plan_ REPRISE_GUARDED_BY(mutex_);
  exec::Marker last_ REPRISE_GUARDED_BY(mutex_);            // the end of the last launch
  ChangeList pending_ REPRISE_GUARDED_BY(mutex_);           // for the next launch to make
  bool kernels_change_ REPRISE_GUARDED_BY(mutex_) = false;  // by launches that are queued or run: more than arguments
  std::unordered_map<uint64_t, NodePlace> places_ REPRISE_GUARDED_BY(mutex_);  // by node, once one was asked for
  std::unique_ptr<UpdateRoom> update_room_ REPRISE_GUARDED_BY(mutex_);         // once there was an update
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

}  // namespace reprise_runtime::graph
