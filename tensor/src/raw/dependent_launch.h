// Launches whose kernels may be set up while the one before still runs (programmatic dependent launch), and which may have
// clusters of blocks. Both are a GPU's; on the CPU device a launch is an ordinary one.
#pragma once

#include <cuda_runtime.h>

#include "raw/launch.h"

namespace reprise::raw {

// The first thing such a kernel does, before it touches memory: lets the next be set up, and waits for those before it.
__device__ inline void after_those_before() {
#if defined(REPRISE_GPU) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

// `cluster` blocks along z (all of the grid's) share their memory; 1 for none.
template <class... Parameters, class... Arguments>
void launch_dependent(const char* operation, void (*kernel)(Parameters...), dim3 grid, dim3 block, dim3 cluster, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.stream = current_stream();
  cudaLaunchAttribute attributes[2] = {};
  config.attrs = attributes;
#ifdef REPRISE_GPU
  attributes[config.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[config.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
#endif
  if (cluster.x * cluster.y * cluster.z > 1) {
    attributes[config.numAttrs].id = cudaLaunchAttributeClusterDimension;
    attributes[config.numAttrs].val.clusterDim.x = cluster.x;
    attributes[config.numAttrs].val.clusterDim.y = cluster.y;
    attributes[config.numAttrs++].val.clusterDim.z = cluster.z;
  }
  check_cuda(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), operation);
}

}  // namespace reprise::raw
