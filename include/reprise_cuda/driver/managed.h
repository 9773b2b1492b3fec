/* Managed memory of the driver API. */
#ifndef REPRISE_DRIVER_MANAGED_H
#define REPRISE_DRIVER_MANAGED_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                                        CUstream hStream);
REPRISE_API CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location);
REPRISE_API CUresult cuMemPrefetchBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                             CUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                             size_t numPrefetchLocs, unsigned long long flags, CUstream hStream);
REPRISE_API CUresult cuMemDiscardBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count, unsigned long long flags,
                                            CUstream hStream);
REPRISE_API CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* dptrs, size_t* sizes, size_t count,
                                                       CUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                                       size_t numPrefetchLocs, unsigned long long flags,
                                                       CUstream hStream);
REPRISE_API CUresult cuMemRangeGetAttribute(void* data, size_t dataSize, CUmem_range_attribute attribute,
                                            CUdeviceptr devPtr, size_t count);
REPRISE_API CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes, CUmem_range_attribute* attributes,
                                             size_t numAttributes, CUdeviceptr devPtr, size_t count);
REPRISE_API CUresult cuStreamAttachMemAsync(CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags);

REPRISE_END_C

#endif /* REPRISE_DRIVER_MANAGED_H */
