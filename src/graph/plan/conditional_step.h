// The step of a conditional node: its bodies are plans of their own.
//
// Thread safety: as any step; see step.h.
#pragma once

#include <atomic>
#include <vector>

#include "graph/define/conditional_work.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

// A WHILE that takes longer is told to the log, and again when it has gone round twice as often. Tests have less
// patience.
inline std::atomic<double> long_loop_ns = 10e9;

// After how many rounds the clock is looked at next, by a loop that has taken `ns` for so many: when there are twice as
// many, or when it will have taken `patience`, if that comes first.
inline uint64_t next_look(uint64_t rounds, double ns, double patience) {
  if (ns > patience || 2 * ns <= patience) return 2 * rounds;
  return rounds + 1 + static_cast<uint64_t>(static_cast<double>(rounds) * (patience / ns - 1));
}

struct ConditionalStep : Step {
  HeldCondition condition;
  cudaGraphConditionalNodeType type;
  std::vector<Ref<Plan>> bodies;

  // The work of a launch of which this step is a part.
  static void run_body(Step& step, Replay& replay);
  static void destroy_step(Step& step);
};

}  // namespace reprise_runtime::graph
