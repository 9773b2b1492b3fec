// Runs the blocks of a cooperative grid, and the barrier that all of them wait at.
//
// Each member of the team takes blocks and starts them one after the other, each on its own stack. It suspends a block
// that reaches a grid barrier and starts the next. When no block is left to start, it resumes its blocks in turn each
// time the barrier has opened. A block whose threads may spin until another block acts is suspended likewise, and
// resumed in every round.
//
// Invariants
//  1. A block belongs to the member that started it, and only that thread ever runs it.
//  2. When a member waits for the barrier, every block of the grid has been taken by some member, so all will arrive.
//  3. `phase` is raised exactly when every block that has not ended has arrived; a waiting block may resume when it
//     differs from the phase in which it arrived.
//  4. After a fault no block is resumed. Their stacks are dropped without unwinding, since device code owns no
//  resources.
#include "kernel/cooperative.h"

#include <atomic>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/export.h"
#include "base/last_error.h"
#include "base/mutex.h"
#include "base/thread_local.h"
#include "base/tuning.h"
#include "base/waiting.h"
#include "exec/fiber_stacks.h"
#include "exec/fiber_switch.h"
#include "exec/spread.h"
#include "exec/team.h"
#include "kernel/block_locals.h"
#include "kernel/fault.h"
#include "kernel/function.h"
#include "kernel/grid_state.h"
#include "kernel/workspace.h"

namespace reprise_runtime::kernel {
namespace {

class GridBarrier {
 public:
  explicit GridBarrier(uint64_t blocks) : alive_(blocks) {}

  // Returns the phase in which the block waits, or no_wait if it was the last to arrive.
  static constexpr uint32_t no_wait = ~uint32_t{0};
  // In place of a phase: the block itself checks whether it can continue.
  static constexpr uint32_t looks_itself = no_wait - 1;
  uint32_t arrive() REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    uint32_t phase = phase_.load(std::memory_order_relaxed);
    if (++arrived_ < alive_) return phase;
    open();
    return no_wait;
  }
  // The barrier no longer waits for a block that has ended.
  void leave() REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (--alive_ > 0 && arrived_ == alive_) open();
  }
  void fail() REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    failed_.store(true, std::memory_order_release);
    open();
  }
  bool failed() const { return failed_.load(std::memory_order_acquire); }

  bool opened_since(uint32_t phase) const { return phase_.load(std::memory_order_acquire) != phase; }
  void wait(uint32_t phase) {
    const auto opened = [&] { return opened_since(phase); };
    if (!spin_times(tuning::looks_at_grid_barrier, opened)) openings_.sleep_until(opened);
  }

 private:
  void open() REPRISE_REQUIRES(mutex_) {
    arrived_ = 0;
    uint32_t next = phase_.load(std::memory_order_relaxed) + 1;
    phase_.store(next >= looks_itself ? 0 : next, std::memory_order_release);
    openings_.notify_all();
  }

  std::atomic<uint32_t> phase_{0};
  EventCount openings_;
  std::atomic<bool> failed_{false};
  Mutex mutex_;
  uint64_t alive_ REPRISE_GUARDED_BY(mutex_);
  uint64_t arrived_ REPRISE_GUARDED_BY(mutex_) = 0;
};

struct CooperativeGrid {
  const reprise_kernel& code;
  const reprise_launch& launch;
  const void* params;
  uint64_t blocks;
  WorkspaceSize size;
  GridBarrier barrier{blocks};
  std::atomic<uint64_t> next_block{0};
};

// One block and its stack. reprise_launch::grid_state points here.
struct BlockFiber : GridState {
  CooperativeGrid& grid;
  exec::StackContext& member;
  reprise_launch launch;
  std::unique_ptr<char[]> memory;
  exec::StackContext stack;
  BlockLocals locals;
  uint32_t waits_in = GridBarrier::no_wait;
  uint32_t rounds = 0;  // of loops that may wait for another block
  bool ended = false;
  cudaError_t error = cudaSuccess;

  BlockFiber(CooperativeGrid& g, exec::StackContext& m, uint64_t block)
      : GridState{Kind::cooperative, graph_of(&g.launch)},
        grid(g),
        member(m),
        launch(g.launch),
        memory(new char[g.size.bytes() + 128]) {
    auto address = (reinterpret_cast<uintptr_t>(memory.get()) + 127) / 128 * 128;
    Workspace workspace(reinterpret_cast<char*>(address), g.size);
    launch.block_begin = block;
    launch.block_end = block + 1;
    launch.shared = workspace.shared;
    launch.scratch = workspace.scratch;
    locals.workspace_end = workspace.shared + g.size.bytes();
    launch.grid_state = static_cast<GridState*>(this);
  }

  static void enter(boost::context::detail::transfer_t transfer) {
    auto& self = *static_cast<BlockFiber*>(starting);
    exec::arrived(self.stack, transfer);
    self.error = run_guarded(self.grid.code.thunk, self.grid.params, self.launch);
    self.ended = true;
    exec::switch_stack(self.stack, self.member, true);
  }

  // On the member's stack: runs the block until it waits or ends.
  void resume() {
    starting = this;
    FaultFrame* outer_frame = current_fault_frame();
    set_current_fault_frame(frame);
    set_current_block_locals(&locals);
    exec::switch_stack(member, stack);
    set_current_block_locals(nullptr);
    frame = current_fault_frame();
    set_current_fault_frame(outer_frame);
  }

  static inline thread_local BlockFiber* starting = nullptr;
  FaultFrame* frame = nullptr;
};

constexpr std::size_t few_waiting_blocks = 4;
constexpr int looks_at_few = 16;

// True for a block whose threads spin until another block acts.
bool polls(const BlockFiber& block) { return !block.ended && block.waits_in == GridBarrier::looks_itself; }

void work_on_grid(CooperativeGrid& grid) {
  exec::StackContext member;
  static thread_local exec::FiberStacks stacks;
#if defined(REPRISE_TSAN_FIBERS)
  member.tsan_fiber = __tsan_get_current_fiber();
#endif
  std::vector<std::unique_ptr<BlockFiber>> blocks;
  // Fibers with their stacks, of blocks that have ended.
  static thread_local std::shared_ptr<void> spare_fibers;
  auto go_on = [&](BlockFiber& block) {
    block.resume();
    if (!block.ended) return;
    if (block.error == cudaSuccess) {
      if (!spare_fibers) spare_fibers = std::move(block.locals.fibers);
      return grid.barrier.leave();
    }
    set_sticky_error(static_cast<int>(grid.launch.device), block.error);
    grid.barrier.fail();
  };
  while (!grid.barrier.failed()) {
    uint64_t index = grid.next_block.fetch_add(1, std::memory_order_relaxed);
    if (index >= grid.blocks) break;
    auto block = std::make_unique<BlockFiber>(grid, member, index);
    size_t slot = blocks.size();
    if (!stacks.reserve(slot + 1)) {
      set_sticky_error(static_cast<int>(grid.launch.device), cudaErrorLaunchOutOfResources);
      return grid.barrier.fail();
    }
    block->stack.bottom = stacks.bottom(slot);
    block->stack.size = stacks.size(slot);
    block->stack.tsan_fiber = stacks.tsan_fiber(slot);
    char* top = static_cast<char*>(stacks.bottom(slot)) + stacks.size(slot);
    block->stack.suspended = boost::context::detail::make_fcontext(top, stacks.size(slot), &BlockFiber::enter);
    block->locals.fibers = std::move(spare_fibers);
    blocks.push_back(std::move(block));
    go_on(*blocks.back());
    // Blocks mostly wait for earlier ones, which other members run now: first looks again before it starts more.
    for (int look = 0; look < looks_at_few && blocks.size() <= few_waiting_blocks && polls(*blocks.back()); ++look)
      for (auto& each : blocks)
        if (polls(*each)) go_on(*each);
    while (!blocks.empty() && blocks.back()->ended) blocks.pop_back();  // the next block reuses its stack
  }
  for (;;) {
    // Blocks that have ended keep their index, which numbers the stacks.
    BlockFiber* waiting = nullptr;
    bool went_on = false, only_looked = true;
    for (auto& block : blocks) {
      if (grid.barrier.failed()) return;
      if (block->ended) continue;
      waiting = block.get();
      if (!grid.barrier.opened_since(block->waits_in)) continue;
      go_on(*block);
      went_on = true;
      only_looked = only_looked && !block->ended && block->waits_in == GridBarrier::looks_itself;
    }
    if (!waiting) return;
    if (went_on && only_looked) yield_core();
    // The last block to arrive may be a phase ahead of the others here, so the member waits only if no block could run.
    if (!went_on) grid.barrier.wait(waiting->waits_in);
  }
}

}  // namespace

void run_cooperative(const Function& function, const reprise_launch& launch, const void* params) {
  const reprise_kernel& code = *function.code();
  if (sticky_error(static_cast<int>(launch.device)) != cudaSuccess) return;
  uint64_t blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
  CooperativeGrid grid{code, launch, params, blocks, WorkspaceSize::of(code, threads, launch.dynamic_shared)};
  double guess_ns = double{function.ns_per_thread()} * threads * static_cast<double>(blocks);
  uint64_t start = ticks();
  {
    const unsigned threads_at_once = exec::stay_alone ? 1 : static_cast<unsigned>(core_count());
    exec::Team team([](void* context) { work_on_grid(*static_cast<CooperativeGrid*>(context)); }, &grid,
                    threads_at_once);
    if (guess_ns == 0 || guess_ns > 2 * tuning::wake_up_ns) team.invite(threads_at_once - 1);
    team.run();
  }
  function.learn_ns_per_thread(
      static_cast<float>(ticks_to_ns(ticks() - start) / (static_cast<double>(threads) * static_cast<double>(blocks))));
}

}  // namespace reprise_runtime::kernel

using reprise_runtime::kernel::BlockFiber;
using reprise_runtime::kernel::GridBarrier;
using reprise_runtime::kernel::GridState;

namespace reprise_runtime::kernel {
namespace {

void leave_block(BlockFiber& block) {
#if defined(REPRISE_TSAN_FIBERS)
  block.stack.tsan_fiber = __tsan_get_current_fiber();  // The call may come from one of the block's own fibers.
#endif
  exec::switch_stack(block.stack, block.member);
}

}  // namespace

bool let_other_blocks_run(const reprise_launch& launch) {
  auto* block = GridState::of<BlockFiber>(&launch, GridState::Kind::cooperative);
  if (!block) return false;
  block->waits_in = GridBarrier::looks_itself;
  leave_block(*block);
  return true;
}

}  // namespace reprise_runtime::kernel

// Switches often enough for blocks that wait, and seldom enough for blocks that compute in each round.
REPRISE_EXPORT void __reprise_let_others_run(const reprise_launch* launch) {
  static REPRISE_THREAD_LOCAL uint32_t rounds_alone = 0;
  auto* block = GridState::of<BlockFiber>(launch, GridState::Kind::cooperative);
  if (!block) {
    // The thread that it waits for may need this core.
    if (++rounds_alone % 64 == 0) reprise_runtime::yield_core();
  } else if (++block->rounds % 16 == 0) {
    reprise_runtime::kernel::let_other_blocks_run(*launch);
  }
}

REPRISE_EXPORT void __reprise_grid_sync(const reprise_launch* launch) {
  auto* block = GridState::of<BlockFiber>(launch, GridState::Kind::cooperative);
  if (!block) __reprise_trap();  // Not a cooperative launch: the other blocks may not be resident.
  block->waits_in = block->grid.barrier.arrive();
  if (block->waits_in != GridBarrier::no_wait) reprise_runtime::kernel::leave_block(*block);
}
