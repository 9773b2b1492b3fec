// The step that does what a node does.
#pragma once

#include "base/status.h"
#include "graph/define/node.h"
#include "graph/plan/launch_events.h"
#include "graph/plan/step_memory.h"

namespace reprise_runtime::graph {

// Any node but one with a child graph. What the step needs is copied; events get their numbers in `events`. The bodies
// of a conditional node are left to the caller.
Result<Step*> make_step(const Node& node, StepMemory& memory, PlanEvents& events);

// Nothing to do, but to depend on.
Step& make_join(StepMemory& memory);

// Which of a launch's waits an event wait step is.
uint32_t wait_number(const Step& step);

// What a kernel step runs, but for the arguments.
void fill_kernel_step(KernelStep& step, const kernel::Function& function, const kernel::LaunchShape& shape);
void run_kernel_step(Step& step, Replay& replay);

// Enables or disables the step of a kernel, memcpy or memset node. A disabled step stays in the order and does nothing.
void enable_step(Step& step, cudaGraphNodeType type, bool enabled) noexcept;

// Runs a kernel on this thread, whoever else runs steps of the same plan.
void run_kernel(const KernelStep& step);
// The same for a small one, by a caller that guards against its faults.
void call_kernel(const KernelStep& step);

}  // namespace reprise_runtime::graph
