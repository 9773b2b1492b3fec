// Steps that record in the trace when they run. They are used only while there is a trace (REPRISE_TRACE=FILE).
//
// Thread safety: as any step; see step.h.
#pragma once

#include "diagnose/trace.h"
#include "graph/plan/replayer.h"
#include "graph/plan/step.h"

namespace reprise_runtime::graph {

// While it lives, the trace shows that the calling thread runs the step.
class TracedStep {
 public:
  TracedStep(const Step& step, const Replay& replay);
  ~TracedStep() {
    if (traced_) diagnose::Trace::end();
  }
  TracedStep(const TracedStep&) = delete;
  TracedStep& operator=(const TracedStep&) = delete;

 private:
  const bool traced_;
};

template <void (*run)(Step&, Replay&)>
void run_traced(Step& step, Replay& replay) {
  TracedStep traced(step, replay);
  run(step, replay);
}

// The function for a step to call: `run`, traced if there is a trace.
template <void (*run)(Step&, Replay&)>
auto traced() {
  return diagnose::Trace::on() ? &run_traced<run> : run;
}

}  // namespace reprise_runtime::graph
