// Device and managed memory: allocating, freeing, and the amount of free memory.
#include "memory/allocate/allocation.h"

#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/user_call.h"
#include "stream/capture_rules.h"
#include "stream/memory_work.h"

using namespace reprise_runtime;
using api::check_output;
using api::entry;
using api::entry_after;
using diagnose::refuse;
using memory::MemoryKind;

namespace {

// Checks that no capture forbids the allocation. An allocation of 0 bytes is always allowed.
cudaError_t check_allocating(size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  return stream::check_unsafe({"allocate before the capture, or use cudaMallocAsync in the capturing stream", bytes});
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** devPtr, size_t size) {
  user_call = __builtin_return_address(0);
  return entry_after([&] { return check_output(devPtr); },
                     [&] {
                       if (cudaError_t refused = check_allocating(size); refused != cudaSuccess) return refused;
                       return memory::allocate(MemoryKind::device, current_device(), size, 0, devPtr);
                     },
                     ARGUMENTS(devPtr, size));
}

cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  user_call = __builtin_return_address(0);
  return entry(
      [&] {
        if (cudaError_t status = check_output(devPtr); status != cudaSuccess) return status;
        if (cudaError_t status = check_output(pitch); status != cudaSuccess) return status;
        if (cudaError_t refused = check_allocating(width * height); refused != cudaSuccess) return refused;
        return memory::allocate_pitched(current_device(), width, height, 1, devPtr, pitch);
      },
      ARGUMENTS(devPtr, pitch, width, height));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
  user_call = __builtin_return_address(0);
  return entry(
      [&] {
        if (cudaError_t status = check_output(pitchedDevPtr); status != cudaSuccess) return status;
        const size_t bytes = extent.width * extent.height * extent.depth;
        if (cudaError_t refused = check_allocating(bytes); refused != cudaSuccess) return refused;
        cudaPitchedPtr made{nullptr, 0, extent.width, extent.height};
        const cudaError_t status = memory::allocate_pitched(current_device(), extent.width, extent.height, extent.depth,
                                                            &made.ptr, &made.pitch);
        if (status == cudaSuccess) *pitchedDevPtr = made;
        return status;
      },
      ARGUMENTS(pitchedDevPtr, extent));
}

cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  user_call = __builtin_return_address(0);
  return entry(
      [&] {
        if (cudaError_t status = check_output(devPtr); status != cudaSuccess) return status;
        if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
          return refuse(cudaErrorInvalidValue, "flags must be cudaMemAttachGlobal or cudaMemAttachHost, not 0x%x",
                        flags);
        }
        if (cudaError_t refused = check_allocating(size); refused != cudaSuccess) return refused;
        return memory::allocate(MemoryKind::managed, current_device(), size, flags, devPtr);
      },
      ARGUMENTS(devPtr, size, flags));
}

cudaError_t cudaFree(void* devPtr) {
  user_call = __builtin_return_address(0);
  return entry(
      [&] {
        const cudaError_t refused = stream::check_unsafe({"free after the capture, or use cudaFreeAsync", 0, devPtr});
        return refused != cudaSuccess ? refused : stream::free_when_idle(devPtr, memory::free_device);
      },
      ARGUMENTS(devPtr));
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return entry(
      [&] {
        const memory::MemoryInfo info = memory::memory_info(current_device());
        if (free) *free = info.free;
        if (total) *total = info.total;
        return cudaSuccess;
      },
      ARGUMENTS(free, total));
}
}
