#include "graph/plan/launch_scope.h"

#include "exec/blocking.h"

namespace reprise_runtime::graph {

void LaunchLock::lock() {
  if (try_lock()) return;
  exec::BlockingScope blocked;
  unlocked_.sleep_until([this] { return try_lock(); });
}

void LaunchLock::unlock() {
  // Only the holder reserves the next run, so this need not be atomic.
  if (word_.load(std::memory_order_relaxed) & next_reserved) {
    word_.fetch_and(~uint32_t{next_reserved}, std::memory_order_relaxed);
    return;
  }
  word_.fetch_and(~uint32_t{locked}, std::memory_order_seq_cst);
  unlocked_.notify_sleepers();
}

}  // namespace reprise_runtime::graph
