#include "graph/plan/checked_step.h"

#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {

void MemoryStep::run_memory(Step& self, Replay&) {
  MemoryStep& step = static_cast<MemoryStep&>(self);
  memory::GraphAllocation& allocation = *step.allocation;
  if (step.allocates) {
    allocation.ended_by.store(memory::GraphAllocation::is_live, std::memory_order_relaxed);
    allocation.open();
  } else {
    allocation.ended_by.store(step.node.bits, std::memory_order_relaxed);
    allocation.close();
  }
}

void MemoryStep::destroy_memory(Step& step) { static_cast<MemoryStep&>(step).~MemoryStep(); }

}  // namespace reprise_runtime::graph
