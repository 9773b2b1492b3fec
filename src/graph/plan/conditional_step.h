// The step of a conditional node, whose bodies are plans of their own.
//
// Thread safety: as any step; see step.h.
#pragma once

#include <atomic>
#include <vector>

#include "graph/define/conditional_work.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

// A WHILE loop that takes longer than this is reported to the log, and again each time its rounds have doubled. Tests
// set a shorter time.
inline std::atomic<double> long_loop_ns = 10e9;

// The round after which a loop that took `ns` for `rounds` reads the clock again: when it has gone round twice as
// often, or when it is expected to reach `limit_ns`, whichever comes first.
inline uint64_t next_clock_check(uint64_t rounds, double ns, double limit_ns) {
  if (ns > limit_ns || 2 * ns <= limit_ns) return 2 * rounds;
  return rounds + 1 + static_cast<uint64_t>(static_cast<double>(rounds) * (limit_ns / ns - 1));
}

struct ConditionalStep : Step {
  HeldCondition condition;
  cudaGraphConditionalNodeType type;
  std::vector<Ref<Plan>> bodies;

  // Runs the body that the condition selects.
  static void run_body(Step& step, Replay& replay);
  static void destroy_step(Step& step);
};

}  // namespace reprise_runtime::graph
