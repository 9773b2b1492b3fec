/* Types of pointers to calls by version: memory. */
#ifndef REPRISE_DRIVER_POINTERS_MEMORY_H
#define REPRISE_DRIVER_POINTERS_MEMORY_H

#include <cuda.h>

typedef CUresult (*PFN_cuMemGetInfo_v3020)(size_t*, size_t*);
typedef CUresult (*PFN_cuMemAlloc_v3020)(CUdeviceptr_v2*, size_t);
typedef CUresult (*PFN_cuMemAllocPitch_v3020)(CUdeviceptr_v2*, size_t*, size_t, size_t, unsigned int);
typedef CUresult (*PFN_cuMemFree_v3020)(CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemGetAddressRange_v3020)(CUdeviceptr_v2*, size_t*, CUdeviceptr_v2);
typedef CUresult (*PFN_cuMemAllocHost_v3020)(void**, size_t);
typedef CUresult (*PFN_cuMemFreeHost_v2000)(void*);
typedef CUresult (*PFN_cuMemHostAlloc_v2020)(void**, size_t, unsigned int);
typedef CUresult (*PFN_cuMemHostGetDevicePointer_v3020)(CUdeviceptr_v2*, void*, unsigned int);
typedef CUresult (*PFN_cuMemHostGetFlags_v2030)(unsigned int*, void*);
typedef CUresult (*PFN_cuMemAllocManaged_v6000)(CUdeviceptr_v2*, size_t, unsigned int);
typedef CUresult (*PFN_cuMemHostRegister_v6050)(void*, size_t, unsigned int);
typedef CUresult (*PFN_cuMemHostUnregister_v4000)(void*);
typedef CUresult (*PFN_cuFlushGPUDirectRDMAWrites_v11030)(CUflushGPUDirectRDMAWritesTarget,
                                                          CUflushGPUDirectRDMAWritesScope);
typedef CUresult (*PFN_cuMemBatchDecompressAsync_v12060)(CUmemDecompressParams*, size_t, unsigned int, size_t*,
                                                         CUstream);
typedef CUresult (*PFN_cuMemBatchDecompressAsync_v12060_ptsz)(CUmemDecompressParams*, size_t, unsigned int, size_t*,
                                                              CUstream);

#endif /* REPRISE_DRIVER_POINTERS_MEMORY_H */
