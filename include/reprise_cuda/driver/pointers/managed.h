/* Types of pointers to calls by version: managed memory. */
#ifndef REPRISE_DRIVER_POINTERS_MANAGED_H
#define REPRISE_DRIVER_POINTERS_MANAGED_H

#include <cuda.h>

typedef CUresult (*PFN_cuMemPrefetchAsync_v8000_ptsz)(CUdeviceptr_v2, size_t, CUdevice_v1, CUstream);
typedef CUresult (*PFN_cuMemAdvise_v8000)(CUdeviceptr_v2, size_t, CUmem_advise, CUdevice_v1);
typedef CUresult (*PFN_cuMemAdvise_v12020)(CUdeviceptr_v2, size_t, CUmem_advise, CUmemLocation_v1);
typedef CUresult (*PFN_cuMemPrefetchAsync_v12020_ptsz)(CUdeviceptr_v2, size_t, CUmemLocation_v1, unsigned int,
                                                       CUstream);
typedef CUresult (*PFN_cuMemPrefetchBatchAsync_v13000_ptsz)(CUdeviceptr_v2*, size_t*, size_t, CUmemLocation_v1*,
                                                            size_t*, size_t, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemDiscardBatchAsync_v13000_ptsz)(CUdeviceptr_v2*, size_t*, size_t, unsigned long long,
                                                           CUstream);
typedef CUresult (*PFN_cuMemDiscardAndPrefetchBatchAsync_v13000_ptsz)(CUdeviceptr_v2*, size_t*, size_t,
                                                                      CUmemLocation_v1*, size_t*, size_t,
                                                                      unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemRangeGetAttribute_v8000)(void*, size_t, CUmem_range_attribute, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemRangeGetAttributes_v8000)(void**, size_t*, CUmem_range_attribute*, size_t, CUdeviceptr_v2,
                                                      size_t);
typedef CUresult (*PFN_cuStreamAttachMemAsync_v7000_ptsz)(CUstream, CUdeviceptr_v2, size_t, unsigned int);
typedef CUresult (*PFN_cuStreamAttachMemAsync_v6000)(CUstream, CUdeviceptr_v2, size_t, unsigned int);
typedef CUresult (*PFN_cuMemPrefetchAsync_v8000)(CUdeviceptr_v2, size_t, CUdevice_v1, CUstream);
typedef CUresult (*PFN_cuMemPrefetchAsync_v12020)(CUdeviceptr_v2, size_t, CUmemLocation_v1, unsigned int, CUstream);
typedef CUresult (*PFN_cuMemPrefetchBatchAsync_v13000)(CUdeviceptr_v2*, size_t*, size_t, CUmemLocation_v1*, size_t*,
                                                       size_t, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemDiscardBatchAsync_v13000)(CUdeviceptr_v2*, size_t*, size_t, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemDiscardAndPrefetchBatchAsync_v13000)(CUdeviceptr_v2*, size_t*, size_t, CUmemLocation_v1*,
                                                                 size_t*, size_t, unsigned long long, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_MANAGED_H */
