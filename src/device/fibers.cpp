// Fiber services of the kernel ABI.
#include <pthread.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/export.h"
#include "base/thread_local.h"
#include "device/fiber_block.h"
#include "kernel/block_locals.h"
#include "kernel/fault.h"
#include "kernel/kernel_abi.h"
#include "kernel/traps.h"
#include "kernel/workspace.h"

namespace reprise_runtime::device {
namespace {

// The blocks that run on this thread, innermost last: while a fiber waits for the whole grid, the thread may run
// another kernel. They are reused with their stacks.
struct Nest {
  struct Level {
    FiberStacks stacks;
    FiberBlock block{stacks};
  };
  std::vector<std::unique_ptr<Level>> levels;
  std::size_t depth = 0;

  // A kernel that traps leaves by longjmp and does not unwind its level. The caller is on a stack of the innermost
  // level that still runs, so levels above the one that holds its stack have ended.
  FiberBlock& enter(const void* stack_address) {
    while (depth > 0 && !levels[depth - 1]->block.holds(stack_address)) --depth;
    if (depth == levels.size()) levels.push_back(std::make_unique<Level>());
    return levels[depth++]->block;
  }
  void leave() { --depth; }
};

// A pointer, so that finding it takes one instruction; its owner ends it with the thread.
REPRISE_THREAD_LOCAL Nest* own_nest = nullptr;
thread_local std::unique_ptr<Nest> own_nest_owner;

[[gnu::noinline]] Nest& make_own_nest() {
  own_nest_owner = std::make_unique<Nest>();
  own_nest = own_nest_owner.get();
  return *own_nest;
}

// The levels of the thread, or of the block in a cooperative launch, where a thread has several blocks.
Nest& nest() {
  kernel::BlockLocals* locals = kernel::current_block_locals();
  if (!locals) return own_nest ? *own_nest : make_own_nest();
  if (!locals->fibers) locals->fibers = std::make_shared<Nest>();
  return *static_cast<Nest*>(locals->fibers.get());
}

// The stack of an operating system's thread, constant while it lives.
struct ThreadStack {
  const char* bottom = nullptr;
  std::size_t size = 0;

  ThreadStack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* address = nullptr;
    if (pthread_attr_getstack(&attributes, &address, &size) == 0) bottom = static_cast<const char*>(address);
    pthread_attr_destroy(&attributes);
  }
  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const char*>(address) - bottom) < size;
  }
};

bool in_local_memory(const reprise_launch& launch, const void* address) {
  static thread_local const ThreadStack stack;
  if (stack.holds(address)) return true;
  const kernel::BlockLocals* locals = kernel::current_block_locals();
  const char* workspace_end = locals ? locals->workspace_end : kernel::thread_workspace_end();
  if (address >= launch.scratch && address < workspace_end) return true;
  const Nest& here = nest();
  return here.depth > 0 && here.levels[here.depth - 1]->block.holds(address);
}

FiberBlock& running_block() {
  Nest& here = nest();
  return here.levels[here.depth - 1]->block;
}

// For reports of faults; see kernel/fault.h.
bool find_fiber(const void* stack_pointer, uint32_t (&block)[3], uint32_t (&thread)[3]) {
  Nest& here = nest();
  for (std::size_t i = here.depth; i-- > 0;) {
    const FiberBlock& level = here.levels[i]->block;
    if (!level.holds(stack_pointer)) continue;
    std::copy_n(level.block_index(), 3, block);
    std::copy_n(level.running_thread(), 3, thread);
    return true;
  }
  return false;
}

[[maybe_unused]] const bool told_of_fibers = (kernel::find_running_fiber.store(&find_fiber), true);

}  // namespace
}  // namespace reprise_runtime::device

using reprise_runtime::device::in_local_memory;
using reprise_runtime::device::nest;
using reprise_runtime::device::running_block;

REPRISE_EXPORT void __reprise_run_fibers(const void* params, const reprise_launch* launch,
                                         reprise_fiber_thread thread) {
  reprise_runtime::device::FiberBlock& block = nest().enter(__builtin_frame_address(0));
  for (uint64_t at = launch->block_begin; at < launch->block_end; ++at) {
    const uint64_t row = at / launch->grid[0];
    const uint32_t index[3] = {static_cast<uint32_t>(at % launch->grid[0]),
                               static_cast<uint32_t>(row % launch->grid[1]),
                               static_cast<uint32_t>(row / launch->grid[1])};
    if (block.run(params, *launch, thread, index)) continue;
    nest().leave();
    reprise_runtime::kernel::trap_because(block.deadlock_report());
  }
  nest().leave();
}

REPRISE_EXPORT void __reprise_fiber_barrier(uint32_t id, uint32_t thread_count) {
  running_block().barrier(id, thread_count);
}

REPRISE_EXPORT void __reprise_fiber_barrier_arrive(uint32_t id, uint32_t thread_count) {
  running_block().barrier_arrive(id, thread_count);
}

REPRISE_EXPORT int __reprise_fiber_barrier_reduce(int operation, int predicate) {
  return running_block().barrier_reduce(operation, predicate);
}

REPRISE_EXPORT void __reprise_fiber_warp_sync(uint32_t mask) { running_block().warp_sync(mask); }

REPRISE_EXPORT uint64_t* __reprise_fiber_warp_slots(void) { return running_block().warp_slots(); }

REPRISE_EXPORT uint32_t __reprise_fiber_live_lanes(void) { return running_block().live_lanes(); }

REPRISE_EXPORT uint32_t __reprise_fiber_active_mask(void) {
  return running_block().active_mask(__builtin_return_address(0));
}

REPRISE_EXPORT void __reprise_fiber_yield(void) { running_block().yield(); }

REPRISE_EXPORT int __reprise_in_local_memory(const reprise_launch* launch, const void* address) {
  return in_local_memory(*launch, address);
}
