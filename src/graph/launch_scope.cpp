#include "graph/launch_scope.h"

#include <memory>

#include "base/futex.h"
#include "exec/blocking.h"
#include "graph/environment.h"

namespace reprise::graph {

void Turn::take() {
  while (word_.fetch_or(taken, std::memory_order_acquire) & taken) {
    const uint32_t seen = word_.fetch_or(awaited, std::memory_order_relaxed) | awaited;
    if (!(seen & taken)) continue;
    exec::BlockingScope blocked;
    futex::wait(word_, seen);
  }
}

void Turn::give_back() {
  if (word_.exchange(0, std::memory_order_release) & awaited) futex::wake_all(word_);
}

void Claim::give_back() {
  // Only who has the claim asks for the next.
  const uint32_t ends = word_.load(std::memory_order_relaxed) & next ? next : taken;
  word_.fetch_and(~ends, std::memory_order_release);
}

Environment& LaunchScope::need_environment() {
  Environment* found = environment();
  if (found) return *found;
  auto stream = std::make_unique<Environment>(nullptr, Environment::By::host);
  auto made = std::make_unique<Environment>(stream.get(), Environment::By::host);
  // Another thread of the graph may have been faster.
  if (!environment_.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel)) return *found;
  (void)stream.release();
  return *made.release();
}

}  // namespace reprise::graph
