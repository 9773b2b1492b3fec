#include "kernel/thread_clock.h"

#include <x86intrin.h>

#include <algorithm>

#include "base/clock.h"
#include "base/export.h"

namespace {

using reprise_runtime::ticks;

constexpr uint64_t first_leap = 64;

// When the calling thread started its current range of blocks.
thread_local uint64_t range_start = 0;

uint64_t read(const reprise_thread_clock& clock) { return ticks() - clock.behind; }

}  // namespace

REPRISE_EXPORT void __reprise_clock_start_block(reprise_thread_clock* clock, const reprise_launch* launch, uint32_t x,
                                                uint32_t y, uint32_t z) {
  const uint64_t number = x + uint64_t(launch->grid[0]) * (y + uint64_t(launch->grid[1]) * z);
  if (number == launch->block_begin) range_start = ticks();
  *clock = {};
  clock->region_start = clock->loop_start = range_start;
}

REPRISE_EXPORT void __reprise_clock_start_region(reprise_thread_clock* clock) {
  clock->region_start = clock->loop_start = ticks();
}

REPRISE_EXPORT void __reprise_clock_start_warp(reprise_thread_clock* clock) { clock->loop_start = clock->region_start; }

REPRISE_EXPORT void __reprise_clock_start_lanes(reprise_thread_clock* clock) { clock->loop_start = ticks(); }

REPRISE_EXPORT void __reprise_clock_start_thread(reprise_thread_clock* clock) {
  clock->behind = ticks() - clock->loop_start;
}

// Threads often wait as long as the thread before them, so the first leap is as long as the last wait.
REPRISE_EXPORT void __reprise_clock_start_wait(reprise_thread_clock* clock) {
  clock->wait_start = read(*clock);
  clock->leap = std::max(clock->last_wait, first_leap);
  clock->last_wait = 0;
}

// The leaps after the first grow with the wait, so that it takes few iterations and ends little later than asked for.
REPRISE_EXPORT void __reprise_clock_wait(reprise_thread_clock* clock) {
  if (clock->behind == 0) _mm_pause();
  clock->behind -= std::min(clock->behind, clock->leap);
  const uint64_t waited = read(*clock) - clock->wait_start;
  clock->leap = clock->last_wait == 0 ? first_leap : std::min(2 * clock->leap, waited);
  clock->last_wait = waited;
}

REPRISE_EXPORT void __reprise_clock_yield(void) { __reprise_fiber_yield(); }

REPRISE_EXPORT void __reprise_clock_catch_up(reprise_thread_clock* clock) { clock->behind = 0; }

REPRISE_EXPORT uint64_t __reprise_clock_read(const reprise_thread_clock* clock) { return read(*clock); }

REPRISE_EXPORT uint64_t __reprise_clock_read_global(const reprise_thread_clock* clock) {
  const double behind_ns = clock->behind ? reprise_runtime::ticks_to_ns(clock->behind) : 0;
  return __reprise_globaltimer() - uint64_t(behind_ns);
}
