// Makes the step of a node, and runs kernel steps.
#pragma once

#include "base/status.h"
#include "graph/define/node.h"
#include "graph/plan/launch_events.h"
#include "graph/plan/step_memory.h"

namespace reprise_runtime::graph {

// Makes the step of any node but a child graph node. It copies what it needs from the node, and adds events to
// `events`. The caller adds the bodies of a conditional node.
Result<Step*> make_step(const Node& node, StepMemory& memory, PlanEvents& events);

// Makes a step that does nothing; other steps depend on it.
Step& make_join(StepMemory& memory);

// The index of an event wait step among the waits of a launch.
uint32_t wait_number(const Step& step);

// Sets everything in a kernel step but the arguments.
void fill_kernel_step(KernelStep& step, const kernel::Function& function, const kernel::LaunchShape& shape);
void run_kernel_step(Step& step, Replay& replay);

// Enables or disables the step of a kernel, memcpy or memset node. A disabled step stays in the order and does nothing.
void enable_step(Step& step, cudaGraphNodeType type, bool enabled) noexcept;

// Runs a kernel. Other threads may run steps of the same plan meanwhile.
void run_kernel(const KernelStep& step);
// Runs a small kernel; the caller has set up the fault guard.
void call_kernel(const KernelStep& step);

}  // namespace reprise_runtime::graph
