// Whether other programs want the cores too. A thread that has lost its core in the middle of a shared piece of work
// holds up all the others for milliseconds, so while that happens short work is better not shared.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"

namespace reprise_runtime::exec {

class Contention {
 public:
  // Work shorter than this is not shared while there is contention: longer work gains more than a lost core costs.
  static constexpr double long_work_ns = 3'000'000;

  static bool high() { return ticks() < until_.load(std::memory_order_relaxed); }

  // Somebody has waited for the last member of a team, after `work_ns` of own work.
  static void note_wait(double wait_ns, double work_ns) {
    if (wait_ns < stall_ns || wait_ns < 2 * work_ns) return;
    until_.store(ticks() + static_cast<uint64_t>(memory_ns / ns_per_tick()), std::memory_order_relaxed);
  }

 private:
  static constexpr double stall_ns = 300'000;  // no part takes this long; a time slice does
  static constexpr double memory_ns = 20'000'000;

  static inline std::atomic<uint64_t> until_{0};
};

}  // namespace reprise_runtime::exec
