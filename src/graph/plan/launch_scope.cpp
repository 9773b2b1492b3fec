#include "graph/plan/launch_scope.h"

#include <memory>

#include "exec/blocking.h"
#include "graph/device_launch/environment.h"

namespace reprise_runtime::graph {

void Turn::take() {
  if (try_take()) return;
  exec::BlockingScope blocked;
  given_back_.sleep_until([this] { return try_take(); });
}

void Turn::give_back() {
  // Only who has the turn asks for the next.
  if (word_.load(std::memory_order_relaxed) & next) {
    word_.fetch_and(~uint32_t{next}, std::memory_order_relaxed);
    return;
  }
  word_.fetch_and(~uint32_t{taken}, std::memory_order_seq_cst);
  given_back_.notify_sleepers();
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
