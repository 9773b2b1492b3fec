// Launches whose kernels may be set up while the one before still runs (programmatic dependent launch), and which may
// have clusters of blocks. Both are a GPU's: on the CPU device, where a replayed kernel begins in less time than it
// takes to agree on an overlap, a launch is an ordinary one.
#pragma once

#include <cuda_runtime.h>

#include "kernels/device/launch.h"

// A GPU may read what is const and restricted ahead of the wait for those that write it. On the CPU device nothing runs
// ahead, and loops need the promise to become vectors.
#ifdef REPRISE_GPU
#define REPRISE_APART
#else
#define REPRISE_APART __restrict__
#endif

namespace reprise::kernels {

// The first thing such a kernel does, before it touches memory: lets the next be set up, and waits for those before it.
// As every one of them waits, the end of the last is the end of all.
__device__ inline void after_those_before() {
#if defined(REPRISE_GPU) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

struct LaunchShape {
  dim3 grid, block;
  std::size_t shared = 0;
  dim3 cluster = dim3(1, 1, 1);  // the blocks of one have each other's shared memory
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
// What <<<>>> comes to, without its two calls that carry the shape, and with the error of this launch.
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
