// Steps for REPRISE_CHECK=memory: they note which node runs, for the report of a fault, and make the pages of an
// allocation accessible and inaccessible. They are used only while memory is checked.
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

// The function for a step to call: `run`, checked while memory is checked, and traced if there is a trace.
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
