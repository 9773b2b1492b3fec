/* Types of pointers to calls by version: memory pools and stream-ordered allocation. */
#ifndef REPRISE_DRIVER_POINTERS_POOL_H
#define REPRISE_DRIVER_POINTERS_POOL_H

#include <cuda.h>

typedef CUresult (*PFN_cuDeviceSetMemPool_v11020)(CUdevice_v1, CUmemoryPool);
typedef CUresult (*PFN_cuDeviceGetMemPool_v11020)(CUmemoryPool*, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetDefaultMemPool_v11020)(CUmemoryPool*, CUdevice_v1);
typedef CUresult (*PFN_cuMemFreeAsync_v11020_ptsz)(CUdeviceptr_v2, CUstream);
typedef CUresult (*PFN_cuMemAllocAsync_v11020_ptsz)(CUdeviceptr_v2*, size_t, CUstream);
typedef CUresult (*PFN_cuMemPoolTrimTo_v11020)(CUmemoryPool, size_t);
typedef CUresult (*PFN_cuMemPoolSetAttribute_v11020)(CUmemoryPool, CUmemPool_attribute, void*);
typedef CUresult (*PFN_cuMemPoolGetAttribute_v11020)(CUmemoryPool, CUmemPool_attribute, void*);
typedef CUresult (*PFN_cuMemPoolSetAccess_v11020)(CUmemoryPool, const CUmemAccessDesc_v1*, size_t);
typedef CUresult (*PFN_cuMemPoolGetAccess_v11020)(CUmemAccess_flags*, CUmemoryPool, CUmemLocation_v1*);
typedef CUresult (*PFN_cuMemPoolCreate_v11020)(CUmemoryPool*, const CUmemPoolProps_v1*);
typedef CUresult (*PFN_cuMemPoolDestroy_v11020)(CUmemoryPool);
typedef CUresult (*PFN_cuMemGetDefaultMemPool_v13000)(CUmemoryPool*, CUmemLocation*, CUmemAllocationType);
typedef CUresult (*PFN_cuMemGetMemPool_v13000)(CUmemoryPool*, CUmemLocation*, CUmemAllocationType);
typedef CUresult (*PFN_cuMemSetMemPool_v13000)(CUmemLocation*, CUmemAllocationType, CUmemoryPool);
typedef CUresult (*PFN_cuMemAllocFromPoolAsync_v11020_ptsz)(CUdeviceptr_v2*, size_t, CUmemoryPool, CUstream);
typedef CUresult (*PFN_cuMemPoolExportToShareableHandle_v11020)(void*, CUmemoryPool, CUmemAllocationHandleType,
                                                                unsigned long long);
typedef CUresult (*PFN_cuMemPoolImportFromShareableHandle_v11020)(CUmemoryPool*, void*, CUmemAllocationHandleType,
                                                                  unsigned long long);
typedef CUresult (*PFN_cuMemPoolExportPointer_v11020)(CUmemPoolPtrExportData_v1*, CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemPoolImportPointer_v11020)(CUdeviceptr_v2*, CUmemoryPool, CUmemPoolPtrExportData_v1*);
typedef CUresult (*PFN_cuMemFreeAsync_v11020)(CUdeviceptr_v2, CUstream);
typedef CUresult (*PFN_cuMemAllocAsync_v11020)(CUdeviceptr_v2*, size_t, CUstream);
typedef CUresult (*PFN_cuMemAllocFromPoolAsync_v11020)(CUdeviceptr_v2*, size_t, CUmemoryPool, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_POOL_H */
