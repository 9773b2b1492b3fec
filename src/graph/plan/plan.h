// What an executable graph runs: the steps of its nodes, child graphs' included, in an order in which one thread can
// run them, with what each depends on for the case that several threads do.
//
// Thread safety: replays of a plan run one after the other, on any thread; it is changed in between (see
// graph/update), or by device code, where that may change nodes. References to it are counted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ref.h"
#include "base/status.h"
#include "graph/define/graph.h"
#include "graph/plan/exec_index.h"
#include "graph/plan/launch_events.h"
#include "graph/plan/launch_scope.h"
#include "graph/plan/queued_changes.h"
#include "graph/plan/step.h"
#include "graph/plan/step_memory.h"
#include "graph/replay/pace.h"

namespace reprise_runtime::graph {

class Plan;
class Together;
class AsReady;
struct ConditionalStep;

// One run of a plan.
struct Replay {
  Plan& plan;
  const LaunchEvents* events;  // null when the plan has none
};

class Plan : public Counted<Plan> {
 public:
  // A snapshot of the graph, whose mutex is held. `stuck` is set when a node stands in the way.
  // With `priorities`, those of its kernel nodes count.
  static Result<Ref<Plan>> build(Graph& graph, Node*& stuck, bool priorities = false);
  ~Plan();

  PlanEvents& events() { return events_; }
  // What its launches do with graph memory; null if nothing.
  const memory::GraphMemoryUse* memory() const { return memory_use_.get(); }
  void set_memory(std::unique_ptr<memory::GraphMemoryUse> use) { memory_use_ = std::move(use); }
  ExecIndex& exec_index() { return exec_index_; }
  LaunchScope& scope() { return scope_; }
  // Those of the graph and of the graphs inside it, at any depth.
  const std::vector<ConditionalStep*>& conditionals() const { return conditionals_; }
  // Whether steps may wait for others beside them or overlap with them, so that threads take them as they become ready;
  // else they share them by lists made ahead.
  bool waits() const { return waits_; }
  // Whether some step of it may wait for something that it does not do itself.
  bool may_block() const { return may_block_; }
  size_t step_count() const { return steps_.size(); }
  // Whether its steps stay out of the trace, as most rounds of a loop do. Said between replays.
  bool untold() const { return untold_; }
  void set_untold(bool untold) { untold_ = untold; }
  // Of memory, records and lists.
  size_t bytes() const;

  // ---- for updates; no replay may run meanwhile, except beside allocate_arguments() ---------------------------------

  Step& step(uint32_t number) { return *steps_[number]; }
  // Memory for the arguments of a kernel, as long as the plan lives.
  char* allocate_arguments(uint32_t bytes) { return memory_.make_bytes(bytes); }
  // The step runs another function or shape from now on.
  void change_launch(KernelStep& step, const kernel::Function& function, const kernel::LaunchShape& shape) noexcept;
  // The executable graph is destroyed, and no launch will make these changes; but launches that are still queued may
  // need the user objects that they hold.
  void keep(std::shared_ptr<QueuedChanges> abandoned) noexcept { abandoned_ = std::move(abandoned); }

  void replay(const LaunchEvents* events);
  // For tests and benchmarks: one way, whatever pays.
  void replay_alone(const LaunchEvents* events);
  void replay_together(const LaunchEvents* events);

 private:
  friend Counted<Plan>;
  friend class PlanBuilder;
  friend class Together;
  friend class AsReady;

  // Steps in sequence_: kernels that are run by one call each, or one step.
  struct Run {
    uint32_t first, end;
    bool kernels;
  };
  // Bits of an entry of dependencies_: the step may start when all blocks of the other have triggered, or begun.
  static constexpr uint32_t when_triggered = 1u << 31, when_begun = 1u << 30;
  static constexpr uint32_t early = when_triggered | when_begun;

  Plan();
  void finish();
  void choose_runs();
  // A step may block that did not when the plan was built.
  void note_blocking();
  void run_alone(Replay& replay);
  void run_kernels(const Run& run);
  void run_measured(Replay& replay);
  void run_together(Replay& replay, bool frequent);
  void run_as_ready(Replay& replay);
  void decide();
  std::vector<float> step_times() const;
  bool waits_for_event(const Step& step, const Replay& replay) const;

  StepMemory memory_;
  std::unique_ptr<memory::GraphMemoryUse> memory_use_;
  std::vector<Step*> steps_;                // in topological order
  std::vector<uint32_t> first_dependency_;  // of each step in dependencies_; one more at the end
  std::vector<uint32_t> dependencies_;
  // For steps that may start early: what else must have ended before they count as ended. By rising step.
  struct Late {
    uint32_t step;
    std::vector<uint32_t> others;
  };
  std::vector<Late> late_;
  const Late* late_of(uint32_t step) const;
  PlanEvents events_;
  ExecIndex exec_index_;
  std::shared_ptr<QueuedChanges> abandoned_;
  LaunchScope scope_;
  // Those that device code may change, with the names it has for them.
  std::vector<std::pair<HeldUpdatable, KernelStep*>> updatable_;
  std::vector<ConditionalStep*> conditionals_;
  bool chain_ = true;   // each step depends on the one before it
  bool waits_ = false;  // some steps may wait for others beside them, or overlap with them
  bool may_block_ = false;
  // Of a body: the plan around it, and the step there that runs it.
  Plan* around_ = nullptr;
  Step* runner_ = nullptr;
  bool priorities_ = false;  // some steps come before others that could run too

  std::vector<Step*> sequence_;  // the steps that do something
  std::vector<Run> runs_;
  bool runs_stale_ = false;  // steps have changed since
  bool untold_ = false;
  size_t workspace_bytes_ = 0;  // the most that a small kernel needs
  char* workspace_ = nullptr;   // for which the kernels are set up
  Pace pace_;
  uint64_t replays_ = 0;
  uint64_t last_end_ = 0;               // of the last replay that was timed, in ticks
  std::vector<float> step_ns_;          // what each step took, with the measuring
  std::shared_ptr<Together> together_;  // with the workers that attend it
  std::unique_ptr<AsReady> as_ready_;
};

}  // namespace reprise_runtime::graph
