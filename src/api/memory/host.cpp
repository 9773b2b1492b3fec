// Pinned host memory: allocated by CUDA, or registered.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/user_call.h"
#include "memory/address/address_map.h"
#include "memory/address/host_registration.h"
#include "memory/allocate/allocation.h"
#include "stream/capture_rules.h"
#include "stream/memory_work.h"

using namespace reprise_runtime;
using api::check_output;
using api::entry;
using diagnose::refuse;
using memory::MemoryKind;

namespace {

// Finds the pinned or registered memory around an address.
cudaError_t find_pinned(const void* address, memory::Range& range) {
  range = memory::lookup(address);
  if (range.kind == MemoryKind::pinned || range.kind == MemoryKind::registered) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%p is neither pinned nor registered host memory", address);
}

cudaError_t check_pinning(size_t bytes) {
  return stream::check_unsafe({"allocate or register host memory before the capture", bytes});
}

}  // namespace

extern "C" {

cudaError_t cudaMallocHost(void** ptr, size_t size) {
  user_call = __builtin_return_address(0);
  return entry(
      [&] {
        if (cudaError_t status = check_output(ptr); status != cudaSuccess) return status;
        if (cudaError_t refused = check_pinning(size); refused != cudaSuccess) return refused;
        return memory::allocate(MemoryKind::pinned, current_device(), size, cudaHostAllocDefault, ptr);
      },
      ARGUMENTS(ptr, size));
}

cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  user_call = __builtin_return_address(0);
  return entry(
      [&] {
        constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
        if (cudaError_t status = check_output(pHost); status != cudaSuccess) return status;
        if (flags & ~known) return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", flags & ~known);
        if (cudaError_t refused = check_pinning(size); refused != cudaSuccess) return refused;
        return memory::allocate(MemoryKind::pinned, current_device(), size, flags, pHost);
      },
      ARGUMENTS(pHost, size, flags));
}

cudaError_t cudaFreeHost(void* ptr) {
  user_call = __builtin_return_address(0);
  return entry(
      [&] {
        const cudaError_t refused = stream::check_unsafe({"free after the capture", 0, ptr});
        return refused != cudaSuccess ? refused : stream::free_when_idle(ptr, memory::free_pinned);
      },
      ARGUMENTS(ptr));
}

cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  return entry(
      [&] {
        const cudaError_t refused = check_pinning(size);
        return refused != cudaSuccess ? refused : memory::register_host(ptr, size, flags, current_device());
      },
      ARGUMENTS(ptr, size, flags));
}

cudaError_t cudaHostUnregister(void* ptr) {
  return entry(
      [&] {
        const cudaError_t refused = stream::check_unsafe({"unregister the memory after the capture", 0, ptr});
        return refused != cudaSuccess ? refused : memory::unregister_host(ptr);
      },
      ARGUMENTS(ptr));
}

// Host and device see the same addresses.
cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(pDevice); status != cudaSuccess) return status;
        if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%x", flags);
        memory::Range range;
        if (cudaError_t status = find_pinned(pHost, range); status != cudaSuccess) return status;
        *pDevice = pHost;
        return cudaSuccess;
      },
      ARGUMENTS(pDevice, pHost, flags));
}

// All pinned memory is mapped, whether or not cudaHostAllocMapped was given.
cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(pFlags); status != cudaSuccess) return status;
        memory::Range range;
        if (cudaError_t status = find_pinned(pHost, range); status != cudaSuccess) return status;
        *pFlags = range.flags | static_cast<unsigned>(cudaHostAllocMapped);
        return cudaSuccess;
      },
      ARGUMENTS(pFlags, pHost));
}
}
