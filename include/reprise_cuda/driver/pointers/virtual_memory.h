/* Types of pointers to calls by version: virtual memory management. */
#ifndef REPRISE_DRIVER_POINTERS_VIRTUAL_MEMORY_H
#define REPRISE_DRIVER_POINTERS_VIRTUAL_MEMORY_H

#include <cuda.h>

typedef CUresult (*PFN_cuMemAddressReserve_v10020)(CUdeviceptr_v2*, size_t, size_t, CUdeviceptr_v2, unsigned long long);
typedef CUresult (*PFN_cuMemAddressFree_v10020)(CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemCreate_v10020)(CUmemGenericAllocationHandle_v1*, size_t, const CUmemAllocationProp_v1*,
                                           unsigned long long);
typedef CUresult (*PFN_cuMemRelease_v10020)(CUmemGenericAllocationHandle_v1);
typedef CUresult (*PFN_cuMemMap_v10020)(CUdeviceptr_v2, size_t, size_t, CUmemGenericAllocationHandle_v1,
                                        unsigned long long);
typedef CUresult (*PFN_cuMemUnmap_v10020)(CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemSetAccess_v10020)(CUdeviceptr_v2, size_t, const CUmemAccessDesc_v1*, size_t);
typedef CUresult (*PFN_cuMemGetAccess_v10020)(unsigned long long*, const CUmemLocation_v1*, CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemExportToShareableHandle_v10020)(void*, CUmemGenericAllocationHandle_v1,
                                                            CUmemAllocationHandleType, unsigned long long);
typedef CUresult (*PFN_cuMemImportFromShareableHandle_v10020)(CUmemGenericAllocationHandle_v1*, void*,
                                                              CUmemAllocationHandleType);
typedef CUresult (*PFN_cuMemGetAllocationGranularity_v10020)(size_t*, const CUmemAllocationProp_v1*,
                                                             CUmemAllocationGranularity_flags);
typedef CUresult (*PFN_cuMemGetAllocationPropertiesFromHandle_v10020)(CUmemAllocationProp_v1*,
                                                                      CUmemGenericAllocationHandle_v1);
typedef CUresult (*PFN_cuMemRetainAllocationHandle_v11000)(CUmemGenericAllocationHandle_v1*, void*);
typedef CUresult (*PFN_cuMemGetHandleForAddressRange_v11070)(void*, CUdeviceptr, size_t, CUmemRangeHandleType,
                                                             unsigned long long);

#endif /* REPRISE_DRIVER_POINTERS_VIRTUAL_MEMORY_H */
