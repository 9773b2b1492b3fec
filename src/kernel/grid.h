// Running a launch: its blocks over the cores.
#pragma once

#include "kernel/launch_shape.h"

namespace reprise::kernel {

// Runs every block, on this thread and on idle workers where that pays, and returns when all are done. `params` is the
// packed parameter buffer. A fault becomes the device's sticky error and stops the rest of the grid.
void run_grid(const Function& function, const LaunchShape& shape, const void* params, int device);

}  // namespace reprise::kernel
