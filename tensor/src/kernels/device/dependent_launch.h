// Programmatic dependent launches, which may overlap the end of the previous kernel, and clusters. Both are for GPUs
// only. On the CPU device a replayed kernel starts in less time than an overlap would cost, so the launch is an
// ordinary one.
#pragma once

#include <cuda_runtime.h>

#include "kernels/device/launch.h"

// A GPU may load from const __restrict__ pointers before wait_for_prior_grids(), so there it is not used. On the CPU
// device nothing overlaps, and loops need __restrict__ to be vectorised.
#ifdef REPRISE_GPU
#define REPRISE_RESTRICT
#else
#define REPRISE_RESTRICT __restrict__
#endif

namespace reprise::kernels {

// Must be called first by such a kernel, before it accesses memory. Allows the next kernel to launch, and waits for the
// previous ones. Since every kernel waits, the last one to finish is the last one launched.
__device__ inline void wait_for_prior_grids() {
#if defined(REPRISE_GPU) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

struct LaunchShape {
  dim3 grid, block;
  std::size_t shared = 0;
  dim3 cluster = dim3(1, 1, 1);  // blocks that can access each other's shared memory
};

#ifdef REPRISE_GPU
template <class... Parameters, class... Arguments>
void launch_dependent(const char* operation, void (*kernel)(Parameters...), const LaunchShape& shape,
                      Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.shared;
  config.stream = current_stream();
  cudaLaunchAttribute attributes[2] = {};
  config.attrs = attributes;
  attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
  if (shape.cluster.x * shape.cluster.y * shape.cluster.z > 1) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs].val.clusterDim.x = shape.cluster.x;
    attributes[config.numAttrs].val.clusterDim.y = shape.cluster.y;
    attributes[config.numAttrs++].val.clusterDim.z = shape.cluster.z;
  }
  check_cuda(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), operation);
}
#else
// Like <<<>>>, without its two calls that push and pop the launch configuration, and with the error of this launch.
template <class... Parameters, class... Arguments>
void launch_dependent(const char* operation, void (*kernel)(Parameters...), const LaunchShape& shape,
                      Arguments... arguments) {
  auto launch = [&](Parameters... values) {
    void* addresses[] = {&values...};
    check_cuda(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), shape.grid, shape.block, addresses, shape.shared,
                                current_stream()),
               operation);
  };
  launch(static_cast<Parameters>(arguments)...);
}
#endif

}  // namespace reprise::kernels
