// Programmatic dependent launch: grids that overlap with the grids they depend on and with those that depend on them.
//
// Thread safety: every function may be called from any thread; the callbacks run on the threads of the grid.
#pragma once

#include "kernel/launch_shape.h"

namespace reprise_runtime::kernel {

// Callbacks between a grid and its neighbours in the graph. Any function may be null. Constant while the grid runs.
struct Neighbours {
  void* context = nullptr;
  void (*all_begun)(void* context) = nullptr;      // called once, when every block has begun
  void (*all_triggered)(void* context) = nullptr;  // called once, when every block has triggered or ended
  // Returns when all grids that this one depends on have ended. For cudaGridDependencySynchronize.
  void (*wait_for_upstream)(void* context) = nullptr;
  void* graph = nullptr;  // see GridState
};

// As run_grid, with one call of the kernel's code for each block.
void run_programmatic_grid(const Function& function, const LaunchShape& shape, const void* params, int device,
                           const Neighbours& neighbours);

}  // namespace reprise_runtime::kernel
