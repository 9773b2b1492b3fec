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
  if (shape.cooperative) return run_cooperative(function, grid.launch, params);
  uint64_t blocks = shape.blocks();
  if (blocks == 1) return grid.run(0, 1);
  double threads = shape.threads();
  double ns_per_block = exec::spread(
      blocks, function.ns_per_thread() * threads, 1, [&](uint64_t begin, uint64_t end) { grid.run(begin, end); },
      code.flags & reprise_kernel_spins ? exec::Order::rising : exec::Order::shared);
  function.learn_ns_per_thread(static_cast<float>(ns_per_block / threads));
}

}  // namespace reprise_runtime::kernel
