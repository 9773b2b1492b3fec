#include "graph/plan/plan.h"

#include "graph/plan/make_step.h"
#include "graph/plan/plan_builder.h"
#include "graph/plan/traced_step.h"

namespace reprise_runtime::graph {

PlanContents::~PlanContents() {
  for (auto& [node, step] : updatable) node->detach(*step);
}

Plan::Plan() = default;
Plan::~Plan() = default;

Result<Ref<Plan>> Plan::build(Graph& graph, Node*& error_node, bool priorities) {
  Ref<Plan> plan = make_ref<Plan>();
  PlanBuilder builder(*plan, plan->contents_, priorities);
  const cudaError_t status = builder.build(graph);
  error_node = builder.error_node();
  if (status != cudaSuccess) return status;
  plan->find_blocking_steps();
  plan->replayer_ = make_replayer(*plan);
  if (diagnose::tracing) [[unlikely]]
    plan->trace_track_ = add_to_trace(*plan, graph.id());
  return plan;
}

void Plan::find_blocking_steps() {
  for (const Step* step : layout().steps) {
    waits_ |= step->overlaps || (step->may_block && !layout().is_chain);
    may_block_ |= step->may_block;
  }
}

// A step may block that did not when the plan was built. The step that runs a body blocks when the body does.
void Plan::note_blocking_step() {
  for (Plan* plan = this; plan; plan = plan->outer_) {
    plan->waits_ |= !plan->layout().is_chain;
    plan->may_block_ = true;
    if (plan->runner_) plan->runner_->may_block = true;
  }
}

void Plan::put_inside(Plan& outer, Step& runner) {
  outer_ = &outer;
  runner_ = &runner;
  runner.may_block |= may_block_;
  scope().put_inside(outer.scope());
}

void Plan::change_launch(KernelStep& step, const kernel::Function& function,
                         const kernel::LaunchShape& shape) noexcept {
  const bool was_batchable = step.batchable();
  fill_kernel_step(step, function, shape);
  if (step.may_block) note_blocking_step();
  replayer_->kernel_changed(step, was_batchable);
}

size_t Plan::bytes() const {
  return sizeof *this + contents_.memory.bytes() + contents_.layout.bytes() + contents_.index.bytes() +
         replayer_->bytes();
}

}  // namespace reprise_runtime::graph
