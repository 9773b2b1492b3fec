// The driver's parameters of graph nodes as the runtime's, and back.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include "base/status.h"

namespace reprise_runtime::driver {

template <class Parameters>
cudaKernelNodeParams runtime_kernel(const Parameters& from) {
  // A kernel stands in for a function that is null.
  void* function = from.func ? static_cast<void*>(from.func) : static_cast<void*>(from.kern);
  return {function,
          {from.gridDimX, from.gridDimY, from.gridDimZ},
          {from.blockDimX, from.blockDimY, from.blockDimZ},
          from.sharedMemBytes,
          from.kernelParams,
          from.extra};
}
CUDA_KERNEL_NODE_PARAMS driver_kernel(const cudaKernelNodeParams& from);

template <class Parameters>
cudaMemsetParams runtime_memset(const Parameters& from) {
  return {reinterpret_cast<void*>(from.dst), from.pitch, from.value, from.elementSize, from.width, from.height};
}
CUDA_MEMSET_NODE_PARAMS driver_memset(const cudaMemsetParams& from);

// The parameters of a node of any type that the runtime API has.
[[nodiscard]] Result<cudaGraphNodeParams> runtime_node(const CUgraphNodeParams& from);

// Null stands for the current context.
[[nodiscard]] cudaError_t check_context(CUcontext context);

}  // namespace reprise_runtime::driver
