// While there is a trace (REPRISE_TRACE=FILE): steps that tell it when they run. Else there are none of these.
//
// Thread safety: as any step; see step.h.
#pragma once

#include "diagnose/trace.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::graph {

// The calling thread runs a step of the plan as long as this lives.
class TracedStep {
 public:
  TracedStep(const Step& step, const Plan& plan);
  ~TracedStep() {
    if (told_) diagnose::Trace::end();
  }
  TracedStep(const TracedStep&) = delete;
  TracedStep& operator=(const TracedStep&) = delete;

 private:
  const bool told_;
};

template <void (*run)(Step&, Replay&)>
void run_traced(Step& step, Replay& replay) {
  TracedStep traced(step, replay.plan);
  run(step, replay);
}

// What a step is to call: `run`, or `run` with a trace.
template <void (*run)(Step&, Replay&)>
auto traced() {
  return diagnose::Trace::on() ? &run_traced<run> : run;
}

}  // namespace reprise_runtime::graph
