// The shape of a launch, and its validation.
#pragma once

#include <driver_types.h>

#include <cstdint>

#include "kernel/function.h"

namespace reprise_runtime::kernel {

struct LaunchShape {
  dim3 grid, block;
  uint32_t dynamic_shared = 0;
  bool cooperative = false;

  uint64_t blocks() const { return uint64_t{grid.x} * grid.y * grid.z; }
  uint32_t threads() const { return block.x * block.y * block.z; }
};

// Checks a launch against the limits of the device and of the kernel. Returns cudaSuccess, or CUDA's error with the
// reason left for the log (diagnose/refuse.h). The function has code.
[[nodiscard]] cudaError_t validate(const Function& function, const reprise_kernel& code, const LaunchShape& shape);

// Blocks of this kernel that one multiprocessor holds at once; 0 when not even one fits. Launch bounds are not
// checked.
uint32_t resident_blocks(const Function& function, uint32_t threads, uint32_t dynamic_shared);

}  // namespace reprise_runtime::kernel
