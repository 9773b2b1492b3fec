// The plan of an executable graph: the steps of its nodes, child graphs included, with what each step depends on.
//
// Thread safety: the layout is constant once the plan is built. Replays run one after the other, on any thread. Steps
// are changed between replays by the host (graph/update), and by device code where that may change nodes. Plans are
// reference-counted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/ref.h"
#include "base/status.h"
#include "graph/define/graph.h"
#include "graph/plan/blocking_copies.h"
#include "graph/plan/exec_index.h"
#include "graph/plan/launch_events.h"
#include "graph/plan/launch_scope.h"
#include "graph/plan/plan_layout.h"
#include "graph/plan/queued_changes.h"
#include "graph/plan/replayer.h"
#include "graph/plan/step.h"
#include "graph/plan/step_memory.h"

namespace reprise_runtime::graph {

struct ConditionalStep;

// What PlanBuilder makes of a graph.
struct PlanContents {
  PlanContents() = default;
  PlanContents(const PlanContents&) = delete;
  PlanContents& operator=(const PlanContents&) = delete;
  ~PlanContents();

  StepMemory memory;
  PlanLayout layout;
  PlanEvents events;
  BlockingCopies copies;
  ExecIndex index;
  LaunchScope scope;
  std::vector<std::pair<HeldUpdatable, KernelStep*>> updatable;  // the kernels that device code may change
  std::vector<ConditionalStep*> conditionals;                    // at any depth
};

class Plan : public Counted<Plan> {
 public:
  // Makes a snapshot of the graph, whose mutex is held. On failure `error_node` is the node that caused it, if one did.
  // With `priorities` set, steps get the priorities of their kernel nodes.
  static Result<Ref<Plan>> build(Graph& graph, Node*& error_node, bool priorities = false);
  Plan();
  ~Plan();

  const PlanLayout& layout() const { return contents_.layout; }
  Step& step(uint32_t number) const { return *contents_.layout.steps[number]; }
  size_t step_count() const { return contents_.layout.steps.size(); }
  PlanEvents& events() { return contents_.events; }
  BlockingCopies& blocking_copies() { return contents_.copies; }
  ExecIndex& exec_index() { return contents_.index; }
  LaunchScope& scope() { return contents_.scope; }
  // The conditional steps of the graph and of the graphs inside it, at any depth.
  const std::vector<ConditionalStep*>& conditionals() const { return contents_.conditionals; }
  // The graph memory that launches use; null if they use none.
  const memory::GraphMemoryUse* memory() const { return memory_use_.get(); }
  void set_memory(std::unique_ptr<memory::GraphMemoryUse> use) { memory_use_ = std::move(use); }
  // Its track in the trace; 0 without a trace.
  uint32_t trace_track() const { return trace_track_; }
  // Bytes of memory that the plan takes.
  size_t bytes() const;

  // Whether steps may wait for others beside them or overlap with them, so that they are run from a ready queue.
  bool waits() const { return waits_; }
  // Whether a step may wait for something outside the plan.
  bool may_block() const { return may_block_; }

  // ---- replay -----------------------------------------------------------------------------------------------------

  // `trace_muted` keeps the steps out of the trace.
  void replay(const LaunchEvents* events, bool trace_muted = false) {
    replay_in(Replayer::Mode::adaptive, events, trace_muted);
  }
  // For tests and benchmarks, which want one way to replay whichever is faster.
  void replay_in(Replayer::Mode mode, const LaunchEvents* events, bool trace_muted = false) {
    Replay replay{*this, events, trace_muted};
    replayer_->run(replay, mode);
  }

  // ---- changes, between replays -----------------------------------------------------------------------------------

  // This plan is the body of a conditional node, whose step is `runner` in `outer`.
  void put_inside(Plan& outer, Step& runner);
  // Gives a kernel step another function or launch shape. Its arguments stay.
  void change_launch(KernelStep& step, const kernel::Function& function, const kernel::LaunchShape& shape) noexcept;
  // Memory for the arguments of a kernel. It lives as long as the plan.
  char* allocate_arguments(size_t bytes) { return contents_.memory.make_bytes(bytes); }
  // The executable graph was destroyed, and no launch will make these changes. Queued launches may need the user
  // objects that they hold.
  void keep(std::shared_ptr<QueuedChanges> abandoned) noexcept { abandoned_ = std::move(abandoned); }

 private:
  void find_blocking_steps();
  void note_blocking_step();

  PlanContents contents_;
  std::shared_ptr<QueuedChanges> abandoned_;
  std::unique_ptr<memory::GraphMemoryUse> memory_use_;
  bool waits_ = false;
  bool may_block_ = false;
  uint32_t trace_track_ = 0;
  Plan* outer_ = nullptr;
  Step* runner_ = nullptr;
  std::unique_ptr<Replayer> replayer_;
};

}  // namespace reprise_runtime::graph
