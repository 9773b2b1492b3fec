// Clocks of the CUDA threads of a kernel that waits for time to pass. Part of what code made by reprise-nvcc and the
// runtime agree on, as kernel_abi.h.
//
//   while (clock64() - start < 100000) {}      all threads of a grid wait at the same time
//
// Here one thread runs after the other. Each starts with its clock at the time at which a GPU would have started it,
// with the other threads, and in a wait its clock leaps forward, at most to the time it really is. So the first thread
// waits for real, and the waits of the others are over at once.
//
//   invariants: a thread's clock never runs backwards, never runs slower than the processor's, and is never ahead of
//   it.
//
// One object serves the threads of a block, which run one after the other.
#pragma once

#include <stdint.h>

#include "kernel/kernel_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// Times are in ticks of the processor's time-stamp counter.
typedef struct reprise_thread_clock {
  uint64_t region_start;  // when the threads of the current region started
  uint64_t loop_start;    // the same for the current loop over lanes in a region with warp operations
  uint64_t behind;        // how far the clock of the running thread is behind the processor's
  uint64_t wait_start;    // when the current wait started, by the thread's clock
  uint64_t last_wait;     // how long the last wait has taken so far, by the thread's clock
  uint64_t leap;          // how far the clock leaps next
} reprise_thread_clock;

// A block starts. Blocks of one call of a thunk count as started together.
void __reprise_clock_start_block(reprise_thread_clock* clock, const reprise_launch* launch, uint32_t x, uint32_t y,
                                 uint32_t z);
void __reprise_clock_start_region(reprise_thread_clock* clock);  // after a barrier of the block
void __reprise_clock_start_warp(reprise_thread_clock* clock);    // a warp starts with the region it is in
void __reprise_clock_start_lanes(reprise_thread_clock* clock);   // after an operation of the warp
void __reprise_clock_start_thread(reprise_thread_clock* clock);
void __reprise_clock_start_wait(reprise_thread_clock* clock);  // before the first iteration
void __reprise_clock_wait(reprise_thread_clock* clock);        // after each iteration
void __reprise_clock_yield(void);                              // the same for fibers, which read the processor's clock
// Sets the thread's clock to the processor's, before the thread may see what another thread has done.
void __reprise_clock_catch_up(reprise_thread_clock* clock);
uint64_t __reprise_clock_read(const reprise_thread_clock* clock);         // clock64()
uint64_t __reprise_clock_read_global(const reprise_thread_clock* clock);  // %globaltimer

#ifdef __cplusplus
}
#endif
