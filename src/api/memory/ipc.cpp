// Device memory shared between processes.
#include <cuda_runtime_api.h>

#include "api/entry/entry.h"
#include "memory/allocate/shared_memory.h"
#include "stream/device_streams.h"

using namespace reprise_runtime;
using api::entry;

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* devPtr) {
  // The first export moves the memory, so no work may be using it.
  return entry(
      [&] {
        if (cudaError_t status = stream::synchronize_device(current_device()); status != cudaSuccess) return status;
        return memory::export_memory(handle, devPtr);
      },
      ARGUMENTS(handle, devPtr));
}

cudaError_t cudaIpcOpenMemHandle(void** devPtr, cudaIpcMemHandle_t handle, unsigned int flags) {
  return entry([&] { return memory::import_memory(devPtr, handle, flags, current_device()); },
               ARGUMENTS(devPtr, handle, flags));
}

cudaError_t cudaIpcCloseMemHandle(void* devPtr) {
  return entry(
      [&] {
        if (cudaError_t status = stream::synchronize_device(current_device()); status != cudaSuccess) return status;
        return memory::close_imported(devPtr);
      },
      ARGUMENTS(devPtr));
}
}
