#include "device/fiber_block.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdio>

#include "base/thread_local.h"
#include "kernel/cooperative.h"

namespace reprise_runtime::device {

using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {
// A fiber starts without an argument: its block is the one that switched to it.
REPRISE_THREAD_LOCAL FiberBlock* entering = nullptr;
}  // namespace

bool FiberBlock::run(const void* params, const reprise_launch& launch, reprise_fiber_thread thread,
                     const uint32_t (&block_index)[3]) {
  reset(launch);
  params_ = params;
  launch_ = &launch;
  thread_ = thread;
  std::copy_n(block_index, 3, block_index_);
  if (threads_ == 0) return true;
  if (!stacks_.reserve(threads_)) {
    std::snprintf(report_, sizeof report_, "no address space for the stacks of %u threads", threads_);
    return false;
  }
#if defined(REPRISE_TSAN_FIBERS)
  main_.tsan_fiber = __tsan_get_current_fiber();
#endif
  running_ = take_runnable(true);
  fibers_[running_].stack = take_stack();
  entering = this;
  switch_stack(main_, contexts_[fibers_[running_].stack]);
  return !deadlocked_;
}

void FiberBlock::reset(const reprise_launch& launch) {
  threads_ = live_ = launch.block[0] * launch.block[1] * launch.block[2];
  started_ = ready_head_ = ready_count_ = stacks_used_ = fruitless_yields_ = turns_ = at_barriers_ = 0;
  deadlocked_ = false;
  free_stacks_.clear();
  fibers_.resize(threads_);
  contexts_.resize(threads_);
  ready_.resize(std::bit_ceil(threads_));
  warps_.resize((threads_ + 31) / 32);
  for (Barrier& barrier : barriers_) barrier = Barrier{};
  for (uint32_t warp = 0; warp < warps_.size(); ++warp) warps_[warp].waiting = 0, warps_[warp].exited = ~lanes_of(warp);
  uint32_t x = 0, y = 0, z = 0;
  for (Fiber& fiber : fibers_) {
    fiber = Fiber{State::fresh, 0, 0, 0, nullptr, 0, {x, y, z}};
    if (++x == launch.block[0]) {
      x = 0;
      if (++y == launch.block[1]) y = 0, ++z;
    }
  }
}

// ---- running and switching ----------------------------------------------------------------------------------------

void FiberBlock::enter(transfer_t transfer) {
  FiberBlock& block = *entering;
  arrived(block.contexts_[block.fibers_[block.running_].stack], transfer);
  block.run_threads();
}

// The entry function of a stack: runs its first thread, and then new threads as long as exiting ones are replaced.
void FiberBlock::run_threads() {
  for (;;) {
    thread_(params_, launch_, block_index_, fibers_[running_].thread_index);
    exit_thread();
  }
}

// The running thread has exited. Returns to run a new thread on the same stack, or leaves the stack for good.
void FiberBlock::exit_thread() {
  const uint16_t stack = fibers_[running_].stack;
  const uint32_t warp = running_ / 32;
  fibers_[running_].state = State::exited;
  warps_[warp].exited |= 1u << (running_ & 31);
  fruitless_yields_ = 0;
  --live_;
  if (live_ == 0) return_to_caller();
  for (uint32_t id = 0; at_barriers_ > 0 && id < barrier_count; ++id)
    if (is_full(barriers_[id])) open(id);
  for (uint32_t left = warps_[warp].waiting; left != 0; left &= left - 1) {
    const Fiber& waiting = fibers_[warp * 32 + static_cast<uint32_t>(__builtin_ctz(left))];
    if (waiting.state == State::at_warp_sync && warp_arrived(warp, waiting.mask)) release_warp(warp, waiting.mask);
  }
  const uint32_t thread = take_runnable(false);
  if (fibers_[thread].state == State::fresh) {
    running_ = thread;
    fibers_[thread].stack = stack;
    return;
  }
  free_stacks_.push_back(stack);
  resume(thread, true);
}

// The running thread waits or yields: switches to another one.
void FiberBlock::suspend(bool prefer_fresh) {
  const uint32_t thread = take_runnable(prefer_fresh);
  if (thread == running_) return;
  if (fibers_[thread].state == State::fresh) fibers_[thread].stack = take_stack();
  resume(thread, false);
}

void FiberBlock::resume(uint32_t thread, bool last) {
  StackContext& from = contexts_[fibers_[running_].stack];
  running_ = thread;
  entering = this;
  switch_stack(from, contexts_[fibers_[thread].stack], last);
}

void FiberBlock::return_to_caller() { switch_stack(contexts_[fibers_[running_].stack], main_, true); }

uint16_t FiberBlock::take_stack() {
  uint16_t stack;
  if (free_stacks_.empty()) {
    stack = static_cast<uint16_t>(stacks_used_++);
  } else {
    stack = free_stacks_.back();
    free_stacks_.pop_back();
  }
  char* bottom = static_cast<char*>(stacks_.bottom(stack));
  const std::size_t size = stacks_.size(stack);
  contexts_[stack] = StackContext{make_fcontext(bottom + size, size, &FiberBlock::enter), bottom, size, nullptr,
                                  stacks_.tsan_fiber(stack)};
  return stack;
}

void FiberBlock::make_ready(uint32_t thread) {
  fibers_[thread].state = State::ready;
  ready_[(ready_head_ + ready_count_++) & (ready_.size() - 1)] = static_cast<uint16_t>(thread);
}

uint32_t FiberBlock::take_ready() {
  const uint32_t thread = ready_[ready_head_];
  ready_head_ = (ready_head_ + 1) & static_cast<uint32_t>(ready_.size() - 1);
  --ready_count_;
  return thread;
}

// The next thread to run. If there is none, the waiting threads deadlock and this does not return.
uint32_t FiberBlock::take_runnable(bool prefer_fresh) {
  if (started_ < threads_ && (prefer_fresh || ready_count_ == 0)) return started_++;
  if (ready_count_ == 0 && !answer_active_masks()) {
    report_deadlock();
    deadlocked_ = true;
    return_to_caller();
  }
  return take_ready();
}

void FiberBlock::yield() {
  // Only yields for a whole round: the threads wait for another block or for the host.
  if (++fruitless_yields_ > live_) {
    fruitless_yields_ = turns_ = 0;
    answer_active_masks();
    if (!kernel::let_other_blocks_run(*launch_)) sched_yield();
  }
  take_turns(turns_in_slice / 2);  // where there are barriers between the yields, two rounds are enough
  make_ready(running_);
  suspend(true);
}

// Threads that wait for another block may use barriers meanwhile, which looks like progress. So a block lets others run
// after a fixed number of operations of its threads.
void FiberBlock::take_turns(uint32_t count) {
  turns_ += count;
  if (turns_ < turns_in_slice * live_) return;
  turns_ = 0;
  kernel::let_other_blocks_run(*launch_);
}

// ---- barriers -----------------------------------------------------------------------------------------------------

void FiberBlock::barrier(uint32_t id, uint32_t thread_count) { arrive(id, thread_count, count, 0); }

void FiberBlock::barrier_arrive(uint32_t id, uint32_t thread_count) {
  Barrier& barrier = barriers_[id % barrier_count];
  ++barrier.arrived;
  ++at_barriers_;
  barrier.expected = thread_count;
  fruitless_yields_ = 0;
  if (is_full(barrier)) open(id % barrier_count);
}

int FiberBlock::barrier_reduce(int operation, int predicate) {
  arrive(0, 0, operation, predicate);
  return fibers_[running_].result;
}

void FiberBlock::arrive(uint32_t id, uint32_t thread_count, int operation, int predicate) {
  take_turns(1);
  Barrier& barrier = barriers_[id % barrier_count];
  Fiber& fiber = fibers_[running_];
  ++barrier.arrived;
  ++at_barriers_;
  barrier.expected = thread_count;
  barrier.true_count += predicate != 0;
  barrier.operation = operation;
  fiber.state = State::at_barrier;
  fiber.barrier = static_cast<uint8_t>(id % barrier_count);
  fruitless_yields_ = 0;
  if (is_full(barrier)) open(id % barrier_count);
  suspend(false);
}

bool FiberBlock::is_full(const Barrier& barrier) const {
  if (barrier.arrived == 0) return false;
  return barrier.arrived >= (barrier.expected == 0 ? live_ : barrier.expected);
}

void FiberBlock::open(uint32_t id) {
  const Barrier barrier = barriers_[id];
  barriers_[id] = Barrier{};
  at_barriers_ -= barrier.arrived;
  int result = static_cast<int>(barrier.true_count);
  if (barrier.operation == all) result = barrier.true_count == barrier.arrived;
  if (barrier.operation == any) result = barrier.true_count != 0;
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    Fiber& fiber = fibers_[thread];
    if (fiber.state != State::at_barrier || fiber.barrier != id) continue;
    fiber.result = result;
    make_ready(thread);
  }
}

// ---- warps --------------------------------------------------------------------------------------------------------

void FiberBlock::warp_sync(uint32_t mask) {
  take_turns(1);
  const uint32_t warp = running_ / 32;
  fruitless_yields_ = 0;
  fibers_[running_].state = State::at_warp_sync;
  fibers_[running_].mask = mask;
  warps_[warp].waiting |= 1u << (running_ & 31);
  if (warp_arrived(warp, mask)) release_warp(warp, mask);
  suspend(false);
}

uint32_t FiberBlock::lanes_of(uint32_t warp) const {
  const uint32_t lanes = threads_ - warp * 32;
  return lanes >= 32 ? ~0u : (1u << lanes) - 1;
}

uint32_t FiberBlock::live_lanes() const { return ~warps_[running_ / 32].exited; }

bool FiberBlock::warp_arrived(uint32_t warp, uint32_t mask) const {
  const uint32_t present = mask & ~warps_[warp].exited;
  if (present & ~warps_[warp].waiting) return false;
  for (uint32_t left = present; left != 0; left &= left - 1)
    if (fibers_[warp * 32 + static_cast<uint32_t>(__builtin_ctz(left))].mask != mask) return false;
  return true;
}

void FiberBlock::release_warp(uint32_t warp, uint32_t mask) {
  for (uint32_t left = warps_[warp].waiting; left != 0; left &= left - 1) {
    const uint32_t thread = warp * 32 + static_cast<uint32_t>(__builtin_ctz(left));
    if (fibers_[thread].mask != mask) continue;
    warps_[warp].waiting &= ~(left & (0u - left));
    make_ready(thread);
  }
}

// Any set of lanes with the caller in it is a legal result, and programs expect the largest one. So the caller waits
// until no lane of its warp could still reach the same call.
uint32_t FiberBlock::active_mask(const void* call_site) {
  take_turns(1);
  const uint32_t warp = running_ / 32;
  fruitless_yields_ = 0;
  fibers_[running_].state = State::at_active_mask;
  fibers_[running_].call_site = call_site;
  if (warp_is_stuck(warp)) answer_active_masks(warp);
  suspend(false);
  return fibers_[running_].mask;
}

bool FiberBlock::warp_is_stuck(uint32_t warp) const {
  for (uint32_t thread = warp * 32; thread < warp * 32 + 32 && thread < threads_; ++thread)
    if (fibers_[thread].state == State::fresh || fibers_[thread].state == State::ready) return false;
  return true;
}

bool FiberBlock::answer_active_masks(uint32_t warp) {
  bool answered = false;
  const uint32_t end = warp * 32 + 32 < threads_ ? warp * 32 + 32 : threads_;
  for (uint32_t thread = warp * 32; thread < end; ++thread) {
    if (fibers_[thread].state != State::at_active_mask) continue;
    const void* site = fibers_[thread].call_site;
    uint32_t together = 0;
    for (uint32_t other = thread; other < end; ++other)
      if (fibers_[other].state == State::at_active_mask && fibers_[other].call_site == site)
        together |= 1u << (other & 31);
    for (uint32_t left = together; left != 0; left &= left - 1) {
      const uint32_t lane = warp * 32 + static_cast<uint32_t>(__builtin_ctz(left));
      fibers_[lane].mask = together;
      make_ready(lane);
    }
    answered = true;
  }
  return answered;
}

bool FiberBlock::answer_active_masks() {
  bool answered = false;
  for (uint32_t warp = 0; warp < warps_.size(); ++warp) answered |= answer_active_masks(warp);
  return answered;
}

void FiberBlock::report_deadlock() {
  uint32_t at_barrier = 0, at_warp_sync = 0;
  for (const Fiber& fiber : fibers_) {
    at_barrier += fiber.state == State::at_barrier;
    at_warp_sync += fiber.state == State::at_warp_sync;
  }
  std::snprintf(report_, sizeof report_,
                "block (%u,%u,%u) cannot go on: of %u threads %u have ended, %u wait at a barrier of the block and %u "
                "at a warp operation for threads that never come",
                block_index_[0], block_index_[1], block_index_[2], threads_, threads_ - live_, at_barrier,
                at_warp_sync);
}

}  // namespace reprise_runtime::device
