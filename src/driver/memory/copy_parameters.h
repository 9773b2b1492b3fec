// The driver's descriptions of copies as the runtime's.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include "base/status.h"

namespace reprise_runtime::driver {

[[nodiscard]] Result<cudaMemcpy3DParms> runtime_copy(const CUDA_MEMCPY3D& copy);
[[nodiscard]] Result<cudaMemcpy3DParms> runtime_copy(const CUDA_MEMCPY2D& copy);
// The same for the description that a graph's node has.
CUDA_MEMCPY3D driver_copy(const cudaMemcpy3DParms& copy);

}  // namespace reprise_runtime::driver
