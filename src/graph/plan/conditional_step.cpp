#include "graph/plan/conditional_step.h"

#include <bit>
#include <cstdio>

#include "base/clock.h"
#include "base/last_error.h"
#include "diagnose/log.h"
#include "diagnose/trace.h"
#include "graph/plan/exec.h"

namespace reprise_runtime::graph {
namespace {

[[gnu::cold, gnu::noinline]] void tell_long_loop(const Step& step, uint64_t rounds, double ns) {
  char words[160];
  std::snprintf(words, sizeof words,
                "conditional node 0x%llx: its WHILE has gone round %llu times in %.0f s and goes on",
                static_cast<unsigned long long>(step.node.bits), static_cast<unsigned long long>(rounds), ns / 1e9);
  diagnose::Log::instance().write(cudaLogLevelWarning, words);
}

// The first rounds are told to the trace, and then one each time their number has doubled.
[[gnu::cold, gnu::noinline]] void trace_round(const Step& step, Plan& body, uint64_t round, bool untold) {
  body.set_untold(untold || (round > 4 && !std::has_single_bit(round)));
  if (body.untold()) return;
  char words[32];
  std::snprintf(words, sizeof words, "round %llu", static_cast<unsigned long long>(round));
  diagnose::Trace::note(words, step.node.bits);
}

// After a fault a device does no more work, so nothing would end the loop.
void run_while(const ConditionalStep& step, Plan& body, bool untold) {
  const uint64_t start = ticks();
  const bool traces = diagnose::Trace::on();
  uint64_t look_at = 1;
  for (uint64_t rounds = 1; step.condition->value() != 0 && sticky_error(step.device) == cudaSuccess; ++rounds) {
    if (traces) [[unlikely]]
      trace_round(step, body, rounds, untold);
    body.replay(nullptr);
    if (rounds != look_at) [[likely]]
      continue;
    const double ns = ticks_to_ns(ticks() - start), patience = long_loop_ns.load(std::memory_order_relaxed);
    look_at = next_look(rounds, ns, patience);
    if (ns > patience) tell_long_loop(step, rounds, ns);
  }
}

}  // namespace

void ConditionalStep::run_body(Step& self, Replay& replay) {
  const ConditionalStep& step = static_cast<const ConditionalStep&>(self);
  const uint32_t value = step.condition->value();
  if (step.type == cudaGraphCondTypeWhile) return run_while(step, *step.bodies[0], replay.plan.untold());
  const uint32_t chosen = step.type == cudaGraphCondTypeIf ? value == 0 : value;
  if (chosen >= step.bodies.size()) return;
  step.bodies[chosen]->set_untold(replay.plan.untold());
  step.bodies[chosen]->replay(nullptr);
}

void begin_conditions(Plan& plan) {
  for (const ConditionalStep* step : plan.conditionals()) step->condition->begin();
}

void ConditionalStep::destroy_step(Step& step) { static_cast<ConditionalStep&>(step).~ConditionalStep(); }

}  // namespace reprise_runtime::graph
