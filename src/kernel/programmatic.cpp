#include "kernel/programmatic.h"

#include <atomic>
#include <utility>

#include "base/export.h"
#include "base/last_error.h"
#include "exec/spread.h"
#include "kernel/fault.h"
#include "kernel/grid_state.h"
#include "kernel/workspace.h"

namespace reprise_runtime::kernel {
namespace {

struct ProgrammaticGrid {
  const Neighbours& neighbours;
  std::atomic<uint64_t> not_begun;
  std::atomic<uint64_t> not_triggered;

  void block_begins() {
    if (not_begun.fetch_sub(1, std::memory_order_acq_rel) == 1 && neighbours.all_begun) {
      neighbours.all_begun(neighbours.context);
    }
  }
  void block_triggers() {
    if (not_triggered.fetch_sub(1, std::memory_order_acq_rel) == 1 && neighbours.all_triggered) {
      neighbours.all_triggered(neighbours.context);
    }
  }
};

struct ProgrammaticBlock : GridState {
  ProgrammaticGrid& grid;
  bool triggered = false;

  explicit ProgrammaticBlock(ProgrammaticGrid& whole)
      : GridState{Kind::programmatic, whole.neighbours.graph}, grid(whole) {}

  // The first thread of the block triggers for all.
  void trigger() {
    if (!std::exchange(triggered, true)) grid.block_triggers();
  }
};

}  // namespace

void run_programmatic_grid(const Function& function, const LaunchShape& shape, const void* params, int device,
                           const Neighbours& neighbours) {
  const reprise_kernel& code = *function.code();
  const WorkspaceSize size = WorkspaceSize::of(code, shape.threads(), shape.dynamic_shared);
  ProgrammaticGrid grid{neighbours, shape.blocks(), shape.blocks()};
  reprise_launch launch{{shape.grid.x, shape.grid.y, shape.grid.z},
                        {shape.block.x, shape.block.y, shape.block.z},
                        0,
                        0,
                        nullptr,
                        nullptr,
                        shape.dynamic_shared,
                        static_cast<uint32_t>(device),
                        nullptr};
  auto run_block = [&](uint64_t index) {
    ProgrammaticBlock block(grid);
    grid.block_begins();
    if (sticky_error(device) == cudaSuccess) {
      Workspace workspace(thread_workspace(size.bytes()), size);
      reprise_launch one = launch;
      one.block_begin = index;
      one.block_end = index + 1;
      one.shared = workspace.shared;
      one.scratch = workspace.scratch;
      one.grid_state = static_cast<GridState*>(&block);
      cudaError_t fault = run_guarded(code.thunk, params, one);
      if (fault != cudaSuccess) set_sticky_error(device, fault);
    }
    block.trigger();
  };
  exec::spread(shape.blocks(), function.ns_per_thread() * shape.threads(), 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t index = begin; index < end; ++index) run_block(index);
  });
}

}  // namespace reprise_runtime::kernel

using reprise_runtime::kernel::GridState;
using reprise_runtime::kernel::ProgrammaticBlock;

// A launch without overlapping neighbours has nothing to trigger and nothing to wait for.
REPRISE_EXPORT void __reprise_trigger_programmatic_launch(const reprise_launch* launch) {
  if (auto* block = GridState::of<ProgrammaticBlock>(launch, GridState::Kind::programmatic)) block->trigger();
}

REPRISE_EXPORT void __reprise_grid_dependency_synchronize(const reprise_launch* launch) {
  auto* block = GridState::of<ProgrammaticBlock>(launch, GridState::Kind::programmatic);
  if (!block) return;
  const reprise_runtime::kernel::Neighbours& neighbours = block->grid.neighbours;
  if (neighbours.wait_for_upstream) neighbours.wait_for_upstream(neighbours.context);
}
