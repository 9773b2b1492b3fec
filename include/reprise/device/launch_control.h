// What a kernel says about launches: the value of a graph's conditional, and programmatic dependent launch.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned __value) {
  __reprise_graph_set_conditional(__handle, __value);
}
__REPRISE_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion() { __reprise_device_trigger_programmatic(); }
__REPRISE_DEVICE__ void cudaGridDependencySynchronize() { __reprise_device_grid_dependency_sync(); }

// Said where it is compiled, not where it would fail. A kernel that calls cudaGraphLaunch is told that it is the host's;
// a device overload of it would be preferred in lambdas, which clang takes for both sides' code.
#define __REPRISE_NOT_THERE__ __device__ __attribute__((unavailable("graphs cannot be launched or changed by device code yet")))
__REPRISE_NOT_THERE__ cudaGraphExec_t cudaGetCurrentGraphExec();
#undef __REPRISE_NOT_THERE__

#undef __REPRISE_DEVICE__
