// Memory pools, stream-ordered allocation, and advice about managed memory.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;
using driver::output;
using driver::pointer;

namespace {}  // namespace

extern "C" {

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev) {
  return driver::entry_initialised([&] { return cudaDeviceGetDefaultMemPool(pool_out, dev); },
                                   ARGUMENTS(pool_out, dev));
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev) {
  return driver::entry_initialised([&] { return cudaDeviceGetMemPool(pool, dev); }, ARGUMENTS(pool, dev));
}

CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool) {
  return driver::entry_initialised([&] { return cudaDeviceSetMemPool(dev, pool); }, ARGUMENTS(dev, pool));
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep) {
  return driver::entry_initialised([&] { return cudaMemPoolTrimTo(pool, minBytesToKeep); },
                                   ARGUMENTS(pool, minBytesToKeep));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  return driver::entry_initialised([&] { return cudaMemPoolSetAttribute(pool, as_runtime(attr), value); },
                                   ARGUMENTS(pool, attr, value));
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value) {
  return driver::entry_initialised([&] { return cudaMemPoolGetAttribute(pool, as_runtime(attr), value); },
                                   ARGUMENTS(pool, attr, value));
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count) {
  return driver::entry_initialised([&] { return cudaMemPoolSetAccess(pool, as_runtime(map), count); },
                                   ARGUMENTS(pool, map, count));
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool, CUmemLocation* location) {
  return driver::entry_initialised(
      [&] { return cudaMemPoolGetAccess(as_runtime(flags), memPool, as_runtime(location)); },
      ARGUMENTS(flags, memPool, location));
}

CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps) {
  return driver::entry_initialised([&] { return cudaMemPoolCreate(pool, as_runtime(poolProps)); },
                                   ARGUMENTS(pool, poolProps));
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return driver::entry_initialised([&] { return cudaMemPoolDestroy(pool); }, ARGUMENTS(pool));
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location, CUmemAllocationType type) {
  return driver::entry_initialised(
      [&] { return cudaMemGetDefaultMemPool(pool_out, as_runtime(location), as_runtime(type)); },
      ARGUMENTS(pool_out, location, type));
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return driver::entry_initialised([&] { return cudaMemGetMemPool(pool, as_runtime(location), as_runtime(type)); },
                                   ARGUMENTS(pool, location, type));
}

CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
  return driver::entry_initialised([&] { return cudaMemSetMemPool(as_runtime(location), as_runtime(type), pool); },
                                   ARGUMENTS(location, type, pool));
}

CUresult cuMemPoolExportToShareableHandle(void* handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType,
                                          unsigned long long flags) {
  return driver::entry_initialised(
      [&] {
        return cudaMemPoolExportToShareableHandle(handle_out, pool, as_runtime(handleType),
                                                  static_cast<unsigned>(flags));
      },
      ARGUMENTS(handle_out, pool, handleType, flags));
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool_out, void* handle, CUmemAllocationHandleType handleType,
                                            unsigned long long flags) {
  return driver::entry_initialised(
      [&] {
        return cudaMemPoolImportFromShareableHandle(pool_out, handle, as_runtime(handleType),
                                                    static_cast<unsigned>(flags));
      },
      ARGUMENTS(pool_out, handle, handleType, flags));
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* shareData_out, CUdeviceptr ptr) {
  return driver::entry_initialised([&] { return cudaMemPoolExportPointer(as_runtime(shareData_out), pointer(ptr)); },
                                   ARGUMENTS(shareData_out, ptr));
}

CUresult cuMemPoolImportPointer(CUdeviceptr* ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData* shareData) {
  return driver::entry_initialised(
      [&] { return cudaMemPoolImportPointer(output(ptr_out), pool, as_runtime(shareData)); },
      ARGUMENTS(ptr_out, pool, shareData));
}

CALL_PTSZ(cuMemAllocAsync, (CUdeviceptr * dptr, size_t bytesize, CUstream hStream), (dptr, bytesize, hStream),
          cudaMallocAsync(output(dptr), bytesize, hStream))
CALL_PTSZ(cuMemAllocFromPoolAsync, (CUdeviceptr * dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream),
          (dptr, bytesize, pool, hStream), cudaMallocFromPoolAsync(output(dptr), bytesize, pool, hStream))
CALL_PTSZ(cuMemFreeAsync, (CUdeviceptr dptr, CUstream hStream), (dptr, hStream), cudaFreeAsync(pointer(dptr), hStream))
}
