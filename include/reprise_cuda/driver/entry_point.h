/* Entry points by name of the driver API. */
#ifndef REPRISE_DRIVER_ENTRY_POINT_H
#define REPRISE_DRIVER_ENTRY_POINT_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuGetProcAddress(const char* symbol, void** pfn, int cudaVersion, cuuint64_t flags,
                                      CUdriverProcAddressQueryResult* symbolStatus);
REPRISE_API CUresult cuGetExportTable(const void** ppExportTable, const CUuuid* pExportTableId);

REPRISE_END_C

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
/* Programs whose stream 0 is the thread's own get calls of that kind, unless they ask for others. */
static inline CUresult cuGetProcAddress_v2_ptsz(const char* symbol, void** funcPtr, int driverVersion, cuuint64_t flags,
                                                CUdriverProcAddressQueryResult* symbolStatus) {
  const cuuint64_t chosen = flags & (CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  if (!chosen) flags |= CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  return cuGetProcAddress_v2(symbol, funcPtr, driverVersion, flags, symbolStatus);
}
#define cuGetProcAddress_v2 cuGetProcAddress_v2_ptsz
#endif

#endif /* REPRISE_DRIVER_ENTRY_POINT_H */
