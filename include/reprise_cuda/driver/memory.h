/* Memory of the driver API. */
#ifndef REPRISE_DRIVER_MEMORY_H
#define REPRISE_DRIVER_MEMORY_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                                CUflushGPUDirectRDMAWritesScope scope);
REPRISE_API CUresult cuMemGetInfo(size_t* free, size_t* total);
REPRISE_API CUresult cuMemAlloc(CUdeviceptr* dptr, size_t bytesize);
REPRISE_API CUresult cuMemAllocPitch(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                                     unsigned int ElementSizeBytes);
REPRISE_API CUresult cuMemFree(CUdeviceptr dptr);
REPRISE_API CUresult cuMemGetAddressRange(CUdeviceptr* pbase, size_t* psize, CUdeviceptr dptr);
REPRISE_API CUresult cuMemAllocHost(void** pp, size_t bytesize);
REPRISE_API CUresult cuMemFreeHost(void* p);
REPRISE_API CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags);
REPRISE_API CUresult cuMemHostGetDevicePointer(CUdeviceptr* pdptr, void* p, unsigned int Flags);
REPRISE_API CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p);
REPRISE_API CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags);
REPRISE_API CUresult cuMemHostRegister(void* p, size_t bytesize, unsigned int Flags);
REPRISE_API CUresult cuMemHostUnregister(void* p);
REPRISE_API CUresult cuMemBatchDecompressAsync(CUmemDecompressParams* paramsArray, size_t count, unsigned int flags,
                                               size_t* errorIndex, CUstream stream);

REPRISE_END_C

#endif /* REPRISE_DRIVER_MEMORY_H */
