// Steps that record in the trace when they run. They are used only while there is a trace; see diagnose/trace.h.
//
// Thread safety: as any step; see step.h.
#pragma once

#include "diagnose/trace.h"
#include "graph/plan/replayer.h"
#include "graph/plan/step.h"

namespace reprise_runtime::graph {

class Plan;

// The event of a step's run.
diagnose::TraceEvent trace_event_of(const Step& step, const Replay& replay);

// Whether the trace shows runs of the step.
inline bool is_traced(const Step& step, const Replay& replay) {
  return !replay.trace_muted && step.enabled && step.kind != Step::Kind::empty;
}

template <void (*run)(Step&, Replay&)>
void run_traced(Step& step, Replay& replay) {
  if (!is_traced(step, replay)) return run(step, replay);
  diagnose::TraceScope scope(trace_event_of(step, replay));
  run(step, replay);
}

// The function for a step to call: `run`, traced if there is a trace.
template <void (*run)(Step&, Replay&)>
auto traced() {
  return diagnose::tracing ? &run_traced<run> : run;
}

// Makes the plan of the graph with this number known to the trace. Returns its track.
uint32_t add_to_trace(const Plan& plan, uint64_t graph);

}  // namespace reprise_runtime::graph
