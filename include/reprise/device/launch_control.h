// What a kernel says about launches: the value of a graph's conditional, and programmatic dependent launch.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned __value) {
  __reprise_graph_set_conditional(__handle, __value);
}
__REPRISE_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion() { __reprise_device_trigger_programmatic(); }
__REPRISE_DEVICE__ void cudaGridDependencySynchronize() { __reprise_device_grid_dependency_sync(); }

#undef __REPRISE_DEVICE__
