// Refused calls: virtual memory management.
#include "driver/unsupported/unsupported.h"

#define WHY "virtual memory management is not supported yet; use cuMemAlloc or a memory pool"

extern "C" {

UNSUPPORTED(cuMemGetHandleForAddressRange,
            (void* handle, CUdeviceptr dptr, size_t size, CUmemRangeHandleType handleType, unsigned long long flags),
            (handle, dptr, size, handleType, flags))
UNSUPPORTED(cuMemAddressReserve,
            (CUdeviceptr * ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned long long flags),
            (ptr, size, alignment, addr, flags))
UNSUPPORTED(cuMemAddressFree, (CUdeviceptr ptr, size_t size), (ptr, size))
UNSUPPORTED(cuMemCreate,
            (CUmemGenericAllocationHandle * handle, size_t size, const CUmemAllocationProp* prop,
             unsigned long long flags),
            (handle, size, prop, flags))
UNSUPPORTED(cuMemRelease, (CUmemGenericAllocationHandle handle), (handle))
UNSUPPORTED(cuMemMap,
            (CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
             unsigned long long flags),
            (ptr, size, offset, handle, flags))
UNSUPPORTED(cuMemUnmap, (CUdeviceptr ptr, size_t size), (ptr, size))
UNSUPPORTED(cuMemSetAccess, (CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc, size_t count),
            (ptr, size, desc, count))
UNSUPPORTED(cuMemGetAccess, (unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr),
            (flags, location, ptr))
UNSUPPORTED(cuMemExportToShareableHandle,
            (void* shareableHandle, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType handleType,
             unsigned long long flags),
            (shareableHandle, handle, handleType, flags))
UNSUPPORTED(cuMemImportFromShareableHandle,
            (CUmemGenericAllocationHandle * handle, void* osHandle, CUmemAllocationHandleType shHandleType),
            (handle, osHandle, shHandleType))
UNSUPPORTED(cuMemGetAllocationGranularity,
            (size_t* granularity, const CUmemAllocationProp* prop, CUmemAllocationGranularity_flags option),
            (granularity, prop, option))
UNSUPPORTED(cuMemGetAllocationPropertiesFromHandle, (CUmemAllocationProp * prop, CUmemGenericAllocationHandle handle),
            (prop, handle))
UNSUPPORTED(cuMemRetainAllocationHandle, (CUmemGenericAllocationHandle * handle, void* addr), (handle, addr))
}
