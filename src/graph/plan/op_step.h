// The steps of operations that run as in a stream, and of event nodes.
//
// Thread safety: as any step; see step.h.
#pragma once

#include <type_traits>

#include "base/last_error.h"
#include "graph/plan/plan.h"
#include "op/context.h"
#include "op/memcpy.h"

namespace reprise_runtime::graph {

template <class Op>
struct OpStep : Step {
  Op op;

  static void run_op(Step& step, Replay& replay) {
    const Op& op = static_cast<OpStep&>(step).op;
    op.run(op::Context{step.device});
    if constexpr (std::is_same_v<Op, op::Memcpy>) {
      if (op.blocks_host()) [[unlikely]]
        replay.plan.blocking_copies().note_done();
    }
  }
  static void destroy_op(Step& step) { static_cast<OpStep&>(step).op.~Op(); }
};

struct EventStep : Step {
  uint32_t number;

  static void record(Step& step, Replay& replay) {
    replay.plan.events().record(static_cast<EventStep&>(step).number, *replay.events);
  }
  static void wait(Step& step, Replay& replay) {
    if (sticky_error(step.device) != cudaSuccess) return;
    replay.plan.events().wait(static_cast<EventStep&>(step).number, *replay.events);
  }
};

}  // namespace reprise_runtime::graph
