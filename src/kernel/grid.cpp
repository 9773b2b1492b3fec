#include "kernel/grid.h"

#include <atomic>

#include "base/last_error.h"
#include "exec/spread.h"
#include "kernel/cooperative.h"
#include "kernel/fault.h"
#include "kernel/workspace.h"

namespace reprise_runtime::kernel {
namespace {

struct Grid {
  reprise_thunk thunk;
  const void* params;
  reprise_launch launch;
  WorkspaceSize size;

  // Runs blocks [begin, end) on this thread, unless the device has had a fault.
  void run(uint64_t begin, uint64_t end) const {
    if (sticky_error(static_cast<int>(launch.device)) != cudaSuccess) [[unlikely]]
      return;
    Workspace workspace(thread_workspace(size.bytes()), size);
    reprise_launch part = launch;
    part.block_begin = begin;
    part.block_end = end;
    part.shared = workspace.shared;
    part.scratch = workspace.scratch;
    cudaError_t fault = run_guarded(thunk, params, part);
    if (fault != cudaSuccess) [[unlikely]]
      set_sticky_error(static_cast<int>(launch.device), fault);
  }
};

// Programs are written for devices with many multiprocessors; an H200 has this many.
constexpr uint64_t usual_multiprocessors = 132;

// Blocks that wait for each other, e.g. at a barrier of their own making, run at once if a usual device can hold all of
// them. A grid barrier of the runtime needs a cooperative launch.
bool blocks_run_at_once(const Function& function, const reprise_kernel& code, const LaunchShape& shape) {
  if (shape.cooperative) return true;
  if (!(code.flags & reprise_kernel_spins) || code.flags & reprise_kernel_grid_sync) return false;
  const uint64_t resident = resident_blocks(function, shape.threads(), shape.dynamic_shared);
  return shape.blocks() > 1 && shape.blocks() <= resident * usual_multiprocessors;
}

}  // namespace

void run_grid(const Function& function, const LaunchShape& shape, const void* params, int device, GridState* state) {
  const reprise_kernel& code = *function.code();
  Grid grid{code.thunk,
            params,
            {{shape.grid.x, shape.grid.y, shape.grid.z},
             {shape.block.x, shape.block.y, shape.block.z},
             0,
             0,
             nullptr,
             nullptr,
             shape.dynamic_shared,
             static_cast<uint32_t>(device),
             state},
            WorkspaceSize::of(code, shape.threads(), shape.dynamic_shared)};
  if (blocks_run_at_once(function, code, shape)) return run_cooperative(function, grid.launch, params);
  uint64_t blocks = shape.blocks();
  if (blocks == 1) return grid.run(0, 1);
  double threads = shape.threads();
  double ns_per_block = exec::spread(
      blocks, function.ns_per_thread() * threads, 1, [&](uint64_t begin, uint64_t end) { grid.run(begin, end); },
      code.flags & reprise_kernel_spins ? exec::Order::rising : exec::Order::shared);
  function.learn_ns_per_thread(static_cast<float>(ns_per_block / threads));
}

}  // namespace reprise_runtime::kernel
