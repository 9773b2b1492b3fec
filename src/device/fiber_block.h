// The scheduler of one block whose threads run as fibers: the ready queue, the barriers with their waiting threads, and
// the state that a warp shares.
//
// Thread safety: none. A block lives on one processor thread, on which its fibers run one at a time.
//
// Invariants
//  1. A thread that has started and not exited is running, or in the ready queue, or in one waiting set.
//  2. A barrier of the whole block opens as soon as every thread that has not exited has arrived.
//  3. A warp synchronisation opens as soon as every lane of its mask waits with that same mask or has exited.
//  4. Ready threads run before new ones are started, but a yield lets a new one start. So the lanes of a warp stay
//     together, and a thread that spins until another acts lets it start.
//  5. In a cooperative launch other blocks get to run after a bounded number of any operations of the threads.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/fiber_stacks.h"
#include "kernel/kernel_abi.h"

namespace reprise_runtime::device {

using exec::FiberStacks;
using exec::StackContext;

class FiberBlock {
 public:
  explicit FiberBlock(FiberStacks& stacks) : stacks_(stacks) {}

  // Runs every thread of one block to its end. Returns false if they deadlock; deadlock_report() has the reason.
  [[nodiscard]] bool run(const void* params, const reprise_launch& launch, reprise_fiber_thread thread,
                         const uint32_t (&block_index)[3]);

  // Called on the fibers.
  void barrier(uint32_t id, uint32_t thread_count);
  void barrier_arrive(uint32_t id, uint32_t thread_count);  // counted; does not wait
  int barrier_reduce(int operation, int predicate);
  void warp_sync(uint32_t mask);
  uint32_t active_mask(const void* call_site);
  uint32_t live_lanes() const;
  uint64_t* warp_slots() { return warps_[running_ / 32].slots; }
  void yield();

  bool holds(const void* address) const { return stacks_.holds(address); }
  const char* deadlock_report() const { return report_; }
  // Of the thread that runs.
  const uint32_t* block_index() const { return block_index_; }
  const uint32_t* running_thread() const { return fibers_[running_].thread_index; }

 private:
  enum class State : uint8_t { fresh, ready, at_barrier, at_warp_sync, at_active_mask, exited };
  enum Reduction : int { count, all, any };

  struct Fiber {
    State state;
    uint8_t barrier;        // at_barrier: which
    uint16_t stack;         // once started
    uint32_t mask;          // at_warp_sync: its mask; at_active_mask: the answer
    const void* call_site;  // at_active_mask: of its caller
    int result;             // of the barrier that opened last
    uint32_t thread_index[3];
  };
  struct Warp {
    uint64_t slots[32];
    uint32_t waiting;  // lanes at_warp_sync, whatever their masks
    uint32_t exited;   // and those that the block does not have
  };
  struct Barrier {
    uint32_t arrived = 0;
    uint32_t expected = 0;  // 0: every thread that has not exited
    uint32_t true_count = 0;
    int operation = count;
  };
  // 16 that PTX names and as many for tiles of the block (cooperative_groups).
  static constexpr uint32_t barrier_count = 32;
  static constexpr uint32_t turns_in_slice = 8;  // of every thread

  void reset(const reprise_launch& launch);
  static void enter(boost::context::detail::transfer_t transfer);
  void run_threads();
  void suspend(bool prefer_fresh);
  void exit_thread();
  void resume(uint32_t thread, bool last);
  void return_to_caller();
  uint32_t take_ready();
  uint32_t take_runnable(bool prefer_fresh);
  void make_ready(uint32_t thread);
  uint16_t take_stack();

  void arrive(uint32_t id, uint32_t thread_count, int operation, int predicate);
  bool is_full(const Barrier& barrier) const;
  void open(uint32_t id);
  uint32_t lanes_of(uint32_t warp) const;
  bool warp_arrived(uint32_t warp, uint32_t mask) const;
  void release_warp(uint32_t warp, uint32_t mask);
  bool warp_is_stuck(uint32_t warp) const;
  bool answer_active_masks(uint32_t warp);
  bool answer_active_masks();
  void take_turns(uint32_t count);
  void report_deadlock();

  FiberStacks& stacks_;
  std::vector<Fiber> fibers_;
  std::vector<Warp> warps_;
  std::vector<uint16_t> ready_;         // a ring of threads; its size is a power of two
  std::vector<uint16_t> free_stacks_;   // used before; the next one never used is stacks_used_
  std::vector<StackContext> contexts_;  // one per stack
  Barrier barriers_[barrier_count];
  StackContext main_;
  uint32_t threads_ = 0, live_ = 0, started_ = 0, running_ = 0;
  uint32_t ready_head_ = 0, ready_count_ = 0, stacks_used_ = 0, at_barriers_ = 0;
  uint32_t fruitless_yields_ = 0;  // since a thread last did anything but yield
  uint32_t turns_ = 0;             // since other blocks of the grid could last run
  const void* params_ = nullptr;
  const reprise_launch* launch_ = nullptr;
  reprise_fiber_thread thread_ = nullptr;
  uint32_t block_index_[3] = {};
  bool deadlocked_ = false;
  char report_[256] = {};
};

}  // namespace reprise_runtime::device
