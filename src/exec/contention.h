// Detects that other programs compete for the cores. A thread that loses its core during shared work delays all other
// members for milliseconds, so under contention short work is not shared.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/tuning.h"

namespace reprise_runtime::exec {

class Contention {
 public:
  static bool high() { return ticks() < until_.load(std::memory_order_relaxed); }

  // Records that a leader waited `wait_ns` for its last member, after `work_ns` of its own work.
  static void note_wait(double wait_ns, double work_ns) {
    if (wait_ns < tuning::stall_ns || wait_ns < 2 * work_ns) return;
    until_.store(ticks() + static_cast<uint64_t>(tuning::contention_memory_ns / ns_per_tick()),
                 std::memory_order_relaxed);
  }

 private:
  static inline std::atomic<uint64_t> until_{0};
};

}  // namespace reprise_runtime::exec
