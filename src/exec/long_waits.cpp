#include "exec/long_waits.h"

#include "base/clock.h"

namespace reprise_runtime::exec {

void watch_if_due() {
  static std::atomic<uint64_t> last{now_ns()};
  uint64_t seen = last.load(std::memory_order_relaxed);
  const uint64_t now = now_ns();
  if (now - seen < static_cast<uint64_t>(watch_period_ns.load(std::memory_order_relaxed))) return;
  if (!last.compare_exchange_strong(seen, now, std::memory_order_relaxed)) return;
  if (auto* call = watch.load(std::memory_order_acquire)) call();
}

}  // namespace reprise_runtime::exec
