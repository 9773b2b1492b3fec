#include "graph/plan/launch_scope.h"

#include <memory>

#include "base/futex.h"
#include "exec/blocking.h"
#include "graph/device_launch/environment.h"

namespace reprise_runtime::graph {

void Turn::take() {
  while (!try_take()) {
    const uint32_t seen = word_.fetch_or(awaited, std::memory_order_relaxed) | awaited;
    if (!(seen & taken)) continue;
    exec::BlockingScope blocked;
    futex::wait(word_, seen);
  }
}

void Turn::give_back() {
  // Only who has the turn asks for the next.
  if (word_.load(std::memory_order_relaxed) & next) {
    word_.fetch_and(~uint32_t{next}, std::memory_order_relaxed);
    return;
  }
  if (word_.fetch_and(~uint32_t{taken | awaited}, std::memory_order_release) & awaited) futex::wake_all(word_);
}

Environment& LaunchScope::need_environment() {
  Environment* found = environment();
  if (found) return *found;
  auto stream = std::make_unique<Environment>(nullptr);
  auto made = std::make_unique<Environment>(stream.get());
  // Another thread of the graph may have been faster.
  if (!environment_.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel)) return *found;
  (void)stream.release();
  return *made.release();
}

}  // namespace reprise_runtime::graph
