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

[[gnu::cold, gnu::noinline]] void log_long_loop(const Step& step, uint64_t rounds, double ns) {
  char words[160];
  std::snprintf(words, sizeof words, "conditional node 0x%llx: its WHILE loop has run %llu times in %.0f s and goes on",
                static_cast<unsigned long long>(step.node.bits), static_cast<unsigned long long>(rounds), ns / 1e9);
  diagnose::Log::instance().write(cudaLogLevelWarning, words);
}

// Traces the first rounds, and then one each time their number has doubled. Returns whether the round stays out of the
// trace.
bool mutes_round(uint64_t round) { return round > 4 && !std::has_single_bit(round); }

[[gnu::cold, gnu::noinline]] void run_traced_round(const Step& step, Plan& body, uint64_t round, uint32_t track) {
  if (mutes_round(round)) return body.replay(nullptr, true);
  char words[32];
  std::snprintf(words, sizeof words, "round %llu", static_cast<unsigned long long>(round));
  diagnose::TraceScope scope(
      {.name = diagnose::keep_text(words), .id = step.node.bits, .track = track, .kind = diagnose::TraceKind::round});
  body.replay(nullptr, false);
}

// A device with a sticky error does no more work, so the condition would never change.
void run_while(const ConditionalStep& step, Plan& body, const Replay& replay) {
  const uint64_t start = ticks();
  const bool traces = diagnose::tracing && !replay.trace_muted;
  uint64_t next_check = 1;
  for (uint64_t rounds = 1; step.condition->value() != 0 && sticky_error(step.device) == cudaSuccess; ++rounds) {
    if (traces) [[unlikely]] {
      run_traced_round(step, body, rounds, replay.plan.trace_track());
    } else {
      body.replay(nullptr, replay.trace_muted);
    }
    if (rounds != next_check) [[likely]]
      continue;
    const double ns = ticks_to_ns(ticks() - start), limit = long_loop_ns.load(std::memory_order_relaxed);
    next_check = next_clock_check(rounds, ns, limit);
    if (ns > limit) log_long_loop(step, rounds, ns);
  }
}

}  // namespace

void ConditionalStep::run_body(Step& self, Replay& replay) {
  const ConditionalStep& step = static_cast<const ConditionalStep&>(self);
  const uint32_t value = step.condition->value();
  if (step.type == cudaGraphCondTypeWhile) return run_while(step, *step.bodies[0], replay);
  const uint32_t chosen = step.type == cudaGraphCondTypeIf ? value == 0 : value;
  if (chosen < step.bodies.size()) step.bodies[chosen]->replay(nullptr, replay.trace_muted);
}

void begin_conditions(Plan& plan) {
  for (const ConditionalStep* step : plan.conditionals()) step->condition->begin();
}

void ConditionalStep::destroy_step(Step& step) { static_cast<ConditionalStep&>(step).~ConditionalStep(); }

}  // namespace reprise_runtime::graph
