// Runs the blocks of a launch on the cores.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include "kernel/grid_state.h"
#include "kernel/launch_shape.h"

namespace reprise_runtime::kernel {

// Runs every block, on this thread and on idle workers where that pays, and returns when all are done. `params` is the
// packed parameter buffer. A fault becomes the device's sticky error and stops the rest of the grid. `state` is of kind
// `plain`; it names the graph launch that this launch is part of.
void run_grid(const Function& function, const LaunchShape& shape, const void* params, int device,
              GridState* state = nullptr);

}  // namespace reprise_runtime::kernel
