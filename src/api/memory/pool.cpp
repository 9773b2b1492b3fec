// Memory pools, and allocating from them in the order of streams.
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/default_stream.h"
#include "base/user_call.h"
#include "memory/pool/pools.h"
#include "stream/capture_rules.h"
#include "stream/pool_work.h"

using namespace reprise_runtime;
using api::check_device;
using api::check_output;
using api::entry;
using diagnose::refuse;

namespace {

// Calls about pools themselves belong to no stream, so no capture can record them.
cudaError_t check_managing() {
  return stream::check_unsafe({"create, query and change pools before or after the capture"});
}

cudaError_t check_place(const void* output, const cudaMemLocation* location) {
  if (cudaError_t status = check_output(output); status != cudaSuccess) return status;
  return location ? cudaSuccess : refuse(cudaErrorInvalidValue, "the location is null");
}

cudaMemLocation device_location(int device) { return {cudaMemLocationTypeDevice, device}; }

cudaError_t allocate(void** address, size_t bytes, cudaStream_t stream) {
  if (cudaError_t status = check_output(address); status != cudaSuccess) return status;
  return stream::allocate_async(address, bytes, nullptr, stream);
}

cudaError_t allocate_from(void** address, size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
  if (cudaError_t status = check_output(address); status != cudaSuccess) return status;
  Result<memory::Pool*> pool = memory::find_pool(handle);
  if (!pool.ok()) return pool.status();
  return stream::allocate_async(address, bytes, *pool, stream);
}

// Calls use(Pool&) once the pool and the place of the value are checked.
template <class Use>
cudaError_t with_attribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value, Use&& use,
                           const char* name = __builtin_FUNCTION()) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(value); status != cudaSuccess) return status;
        if (cudaError_t refused = check_managing(); refused != cudaSuccess) return refused;
        Result<memory::Pool*> pool = memory::find_pool(memPool);
        return pool.ok() ? use(**pool) : pool.status();
      },
      ARGUMENTS(memPool, attr, value), name);
}

}  // namespace

extern "C" {

cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t stream) {
  user_call = __builtin_return_address(0);
  return entry([&] { return allocate(devPtr, size, stream); }, ARGUMENTS(devPtr, size, stream));
}
REPRISE_EXPORT cudaError_t cudaMallocAsync_ptsz(void** devPtr, size_t size, cudaStream_t stream) {
  user_call = __builtin_return_address(0);
  return cudaMallocAsync(devPtr, size, api::per_thread(stream));
}

cudaError_t cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  user_call = __builtin_return_address(0);
  return entry([&] { return allocate_from(ptr, size, memPool, stream); }, ARGUMENTS(ptr, size, memPool, stream));
}
REPRISE_EXPORT cudaError_t cudaMallocFromPoolAsync_ptsz(void** ptr, size_t size, cudaMemPool_t memPool,
                                                        cudaStream_t stream) {
  user_call = __builtin_return_address(0);
  return cudaMallocFromPoolAsync(ptr, size, memPool, api::per_thread(stream));
}

cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t stream) {
  user_call = __builtin_return_address(0);
  return entry([&] { return stream::free_async(devPtr, stream); }, ARGUMENTS(devPtr, stream));
}
REPRISE_EXPORT cudaError_t cudaFreeAsync_ptsz(void* devPtr, cudaStream_t stream) {
  user_call = __builtin_return_address(0);
  return cudaFreeAsync(devPtr, api::per_thread(stream));
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const cudaMemPoolProps* poolProps) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(memPool); status != cudaSuccess) return status;
        if (!poolProps) return refuse(cudaErrorInvalidValue, "the properties are null");
        if (cudaError_t refused = check_managing(); refused != cudaSuccess) return refused;
        return memory::create_pool(memPool, *poolProps);
      },
      ARGUMENTS(memPool, poolProps));
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return entry(
      [&] {
        const cudaError_t refused = check_managing();
        return refused != cudaSuccess ? refused : memory::destroy_pool(memPool);
      },
      ARGUMENTS(memPool));
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  return entry(
      [&] {
        if (cudaError_t status = check_device(device); status != cudaSuccess) return status;
        if (cudaError_t status = check_output(memPool); status != cudaSuccess) return status;
        return memory::get_default_pool(memPool, device_location(device), cudaMemAllocationTypePinned);
      },
      ARGUMENTS(memPool, device));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(memPool); status != cudaSuccess) return status;
        // This call alone reports cudaErrorInvalidValue.
        if (cudaError_t status = check_device(device, cudaErrorInvalidValue); status != cudaSuccess) return status;
        return memory::get_current_pool(memPool, device_location(device), cudaMemAllocationTypePinned);
      },
      ARGUMENTS(memPool, device));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t memPool) {
  return entry(
      [&] {
        if (cudaError_t refused = check_managing(); refused != cudaSuccess) return refused;
        return memory::set_current_pool(device_location(device), cudaMemAllocationTypePinned, memPool);
      },
      ARGUMENTS(device, memPool));
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t* memPool, cudaMemLocation* location, cudaMemAllocationType type) {
  return entry(
      [&] {
        if (cudaError_t status = check_place(memPool, location); status != cudaSuccess) return status;
        return memory::get_default_pool(memPool, *location, type);
      },
      ARGUMENTS(memPool, location, type));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t* memPool, cudaMemLocation* location, cudaMemAllocationType type) {
  return entry(
      [&] {
        if (cudaError_t status = check_place(memPool, location); status != cudaSuccess) return status;
        return memory::get_current_pool(memPool, *location, type);
      },
      ARGUMENTS(memPool, location, type));
}

cudaError_t cudaMemSetMemPool(cudaMemLocation* location, cudaMemAllocationType type, cudaMemPool_t memPool) {
  return entry(
      [&] {
        if (!location) return refuse(cudaErrorInvalidValue, "the location is null");
        if (cudaError_t refused = check_managing(); refused != cudaSuccess) return refused;
        return memory::set_current_pool(*location, type, memPool);
      },
      ARGUMENTS(location, type, memPool));
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return entry(
      [&] {
        if (cudaError_t refused = check_managing(); refused != cudaSuccess) return refused;
        Result<memory::Pool*> pool = memory::find_pool(memPool);
        if (pool.ok()) (*pool)->trim(minBytesToKeep);
        return pool.status();
      },
      ARGUMENTS(memPool, minBytesToKeep));
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  return with_attribute(memPool, attr, value, [&](memory::Pool& pool) { return pool.set_attribute(attr, value); });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  return with_attribute(memPool, attr, value, [&](memory::Pool& pool) { return pool.get_attribute(attr, value); });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool, const cudaMemAccessDesc* descList, size_t count) {
  return entry(
      [&] {
        const cudaError_t refused = check_managing();
        return refused != cudaSuccess ? refused : memory::set_pool_access(memPool, descList, count);
      },
      ARGUMENTS(memPool, descList, count));
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t memPool, cudaMemLocation* location) {
  return entry(
      [&] {
        if (cudaError_t status = check_place(flags, location); status != cudaSuccess) return status;
        if (cudaError_t refused = check_managing(); refused != cudaSuccess) return refused;
        return memory::get_pool_access(flags, memPool, *location);
      },
      ARGUMENTS(flags, memPool, location));
}

cudaError_t cudaMemPoolExportToShareableHandle(void* shareableHandle, cudaMemPool_t memPool,
                                               cudaMemAllocationHandleType handleType, unsigned int flags) {
  return entry(
      [&] {
        const cudaError_t refused = check_managing();
        return refused != cudaSuccess ? refused : memory::export_pool(shareableHandle, memPool, handleType, flags);
      },
      ARGUMENTS(shareableHandle, memPool, handleType, flags));
}

cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* memPool, void* shareableHandle,
                                                 cudaMemAllocationHandleType handleType, unsigned int flags) {
  return entry([&] { return memory::import_pool(memPool, shareableHandle, handleType, flags); },
               ARGUMENTS(memPool, shareableHandle, handleType, flags));
}

cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* exportData, void* ptr) {
  return entry(
      [&] {
        const cudaError_t refused = check_managing();
        return refused != cudaSuccess ? refused : memory::export_pointer(exportData, ptr);
      },
      ARGUMENTS(exportData, ptr));
}

cudaError_t cudaMemPoolImportPointer(void** ptr, cudaMemPool_t memPool, cudaMemPoolPtrExportData* exportData) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(ptr); status != cudaSuccess) return status;
        if (!exportData) return refuse(cudaErrorInvalidValue, "the exported pointer is null");
        return memory::import_pointer(ptr, memPool, *exportData);
      },
      ARGUMENTS(ptr, memPool, exportData));
}
}
