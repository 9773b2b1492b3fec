/* Memory pools and stream-ordered allocation of the driver API. */
#ifndef REPRISE_DRIVER_POOL_H
#define REPRISE_DRIVER_POOL_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuDeviceSetMemPool(CUdevice dev, CUmemoryPool pool);
REPRISE_API CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice dev);
REPRISE_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool_out, CUdevice dev);
REPRISE_API CUresult cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream);
REPRISE_API CUresult cuMemAllocAsync(CUdeviceptr* dptr, size_t bytesize, CUstream hStream);
REPRISE_API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t minBytesToKeep);
REPRISE_API CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value);
REPRISE_API CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr, void* value);
REPRISE_API CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count);
REPRISE_API CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool memPool, CUmemLocation* location);
REPRISE_API CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* poolProps);
REPRISE_API CUresult cuMemPoolDestroy(CUmemoryPool pool);
REPRISE_API CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool_out, CUmemLocation* location, CUmemAllocationType type);
REPRISE_API CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type);
REPRISE_API CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool);
REPRISE_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr* dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream);
REPRISE_API CUresult cuMemPoolExportToShareableHandle(void* handle_out, CUmemoryPool pool,
                                                      CUmemAllocationHandleType handleType, unsigned long long flags);
REPRISE_API CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool_out, void* handle,
                                                        CUmemAllocationHandleType handleType, unsigned long long flags);
REPRISE_API CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* shareData_out, CUdeviceptr ptr);
REPRISE_API CUresult cuMemPoolImportPointer(CUdeviceptr* ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData* shareData);

REPRISE_END_C

#endif /* REPRISE_DRIVER_POOL_H */
