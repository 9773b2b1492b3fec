// Launch control in kernels: values of conditional handles, programmatic dependent launch, launching graphs and
// updating nodes.
#pragma once

#define __REPRISE_DEVICE__ static __device__ __forceinline__

__REPRISE_DEVICE__ void cudaGraphSetConditional(cudaGraphConditionalHandle __handle, unsigned __value) {
  __reprise_graph_set_conditional(__handle, __value);
}
__REPRISE_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion() { __reprise_device_trigger_programmatic(); }
__REPRISE_DEVICE__ void cudaGridDependencySynchronize() { __reprise_device_grid_dependency_sync(); }

// Launches a graph from a kernel. `__stream` is a named stream of cuda_device_runtime_api.h.
__REPRISE_DEVICE__ cudaError_t cudaGraphLaunch(cudaGraphExec_t __graph, cudaStream_t __stream) {
  return static_cast<cudaError_t>(__reprise_device_graph_launch(reinterpret_cast<unsigned long long>(__graph),
                                                                reinterpret_cast<unsigned long long>(__stream)));
}
__REPRISE_DEVICE__ cudaGraphExec_t cudaGetCurrentGraphExec() {
  return reinterpret_cast<cudaGraphExec_t>(__reprise_device_current_graph());
}

// Updates kernel nodes from a kernel.
__REPRISE_DEVICE__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t __node, size_t __offset,
                                                           const void* __value, size_t __size) {
  return static_cast<cudaError_t>(
      __reprise_graph_node_set_parameter(reinterpret_cast<unsigned long long>(__node), __offset, __value, __size));
}
template <class __T>
__REPRISE_DEVICE__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t __node, size_t __offset,
                                                           const __T& __value) {
  return cudaGraphKernelNodeSetParam(__node, __offset, &__value, sizeof(__T));
}
__REPRISE_DEVICE__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t __node, bool __enable) {
  return static_cast<cudaError_t>(
      __reprise_graph_node_set_enabled(reinterpret_cast<unsigned long long>(__node), __enable));
}
__REPRISE_DEVICE__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t __node, dim3 __grid) {
  return static_cast<cudaError_t>(
      __reprise_graph_node_set_grid(reinterpret_cast<unsigned long long>(__node), __grid.x, __grid.y, __grid.z));
}
// An invalid field in any update fails the call before any update is applied. Otherwise returns the error of the first
// update that fails; the updates after it are not applied.
__REPRISE_DEVICE__ cudaError_t cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate* __updates,
                                                               size_t __count) {
  if (!__updates || __count == 0) return cudaErrorInvalidValue;
  for (size_t __i = 0; __i < __count; ++__i) {
    if (__updates[__i].field < cudaGraphKernelNodeFieldGridDim ||
        __updates[__i].field > cudaGraphKernelNodeFieldEnabled) {
      return cudaErrorInvalidValue;
    }
  }
  for (size_t __i = 0; __i < __count; ++__i) {
    const cudaGraphKernelNodeUpdate& __update = __updates[__i];
    cudaError_t __status = cudaErrorInvalidValue;
    switch (__update.field) {
      case cudaGraphKernelNodeFieldGridDim:
        __status = cudaGraphKernelNodeSetGridDim(__update.node, __update.updateData.gridDim);
        break;
      case cudaGraphKernelNodeFieldParam:
        __status = cudaGraphKernelNodeSetParam(__update.node, __update.updateData.param.offset,
                                               __update.updateData.param.pValue, __update.updateData.param.size);
        break;
      case cudaGraphKernelNodeFieldEnabled:
        __status = cudaGraphKernelNodeSetEnabled(__update.node, __update.updateData.isEnabled != 0);
        break;
      default:
        break;
    }
    if (__status != cudaSuccess) return __status;
  }
  return cudaSuccess;
}

#undef __REPRISE_DEVICE__
