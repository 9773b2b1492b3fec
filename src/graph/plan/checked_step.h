// While memory is checked (REPRISE_CHECK=memory): steps that say which node runs, for the report of a fault, and steps
// that open the pages of an allocation and close them again. Else there are none of these.
//
// Thread safety: as any step; see step.h.
#pragma once

#include "graph/define/memory_fault.h"
#include "graph/plan/plan.h"
#include "graph/plan/traced_step.h"
#include "memory/graph/check_mode.h"

namespace reprise_runtime::graph {

template <void (*run)(Step&, Replay&)>
void run_checked(Step& step, Replay& replay) {
  RunningNode running(step.node);
  run(step, replay);
}

// What a step is to call: `run`, or `run` under watch, with a trace if there is one.
template <void (*run)(Step&, Replay&)>
auto checked() {
  return memory::checks_memory() ? traced<&run_checked<run>>() : traced<run>();
}

// The step of a memory node.
struct MemoryStep : Step {
  Ref<memory::GraphAllocation> allocation;
  bool allocates;

  static void run_memory(Step& step, Replay& replay);
  static void destroy_memory(Step& step);
};

}  // namespace reprise_runtime::graph
