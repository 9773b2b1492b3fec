/* Virtual memory management of the driver API. */
#ifndef REPRISE_DRIVER_VIRTUAL_MEMORY_H
#define REPRISE_DRIVER_VIRTUAL_MEMORY_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuMemGetHandleForAddressRange(void* handle, CUdeviceptr dptr, size_t size,
                                                   CUmemRangeHandleType handleType, unsigned long long flags);
REPRISE_API CUresult cuMemAddressReserve(CUdeviceptr* ptr, size_t size, size_t alignment, CUdeviceptr addr,
                                         unsigned long long flags);
REPRISE_API CUresult cuMemAddressFree(CUdeviceptr ptr, size_t size);
REPRISE_API CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size, const CUmemAllocationProp* prop,
                                 unsigned long long flags);
REPRISE_API CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
REPRISE_API CUresult cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                              unsigned long long flags);
REPRISE_API CUresult cuMemUnmap(CUdeviceptr ptr, size_t size);
REPRISE_API CUresult cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc, size_t count);
REPRISE_API CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr);
REPRISE_API CUresult cuMemExportToShareableHandle(void* shareableHandle, CUmemGenericAllocationHandle handle,
                                                  CUmemAllocationHandleType handleType, unsigned long long flags);
REPRISE_API CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* osHandle,
                                                    CUmemAllocationHandleType shHandleType);
REPRISE_API CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp* prop,
                                                   CUmemAllocationGranularity_flags option);
REPRISE_API CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop,
                                                            CUmemGenericAllocationHandle handle);
REPRISE_API CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* addr);

REPRISE_END_C

#endif /* REPRISE_DRIVER_VIRTUAL_MEMORY_H */
