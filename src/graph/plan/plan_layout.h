// The fixed part of a plan: its steps in topological order, and the steps that each depends on.
//
// Thread safety: constant after the plan is built. The steps themselves may change between replays; see step.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/plan/step.h"

namespace reprise_runtime::graph {

struct PlanLayout {
  // Flags in an entry of `dependencies`: the step may start when all blocks of the other kernel have triggered, or have
  // begun. Without a flag it starts when the other step has ended.
  static constexpr uint32_t when_triggered = 1u << 31, when_begun = 1u << 30;
  static constexpr uint32_t early = when_triggered | when_begun;

  // A step that may start early, and the steps that must have ended before it counts as ended.
  struct Late {
    uint32_t step;
    std::vector<uint32_t> others;
  };

  std::vector<Step*> steps;                // in topological order
  std::vector<uint32_t> first_dependency;  // of each step in `dependencies`; one more at the end
  std::vector<uint32_t> dependencies;
  std::vector<Late> late;       // by rising step
  bool is_chain = true;         // each step depends on the one before it
  bool has_priorities = false;  // some step's priority is not 0

  // Null for a step that does not start early.
  const Late* late_of(uint32_t step) const {
    auto found = std::lower_bound(late.begin(), late.end(), step,
                                  [](const Late& each, uint32_t wanted) { return each.step < wanted; });
    return found != late.end() && found->step == step ? &*found : nullptr;
  }

  size_t bytes() const {
    return steps.capacity() * sizeof(Step*) +
           (first_dependency.capacity() + dependencies.capacity()) * sizeof(uint32_t);
  }
};

}  // namespace reprise_runtime::graph
