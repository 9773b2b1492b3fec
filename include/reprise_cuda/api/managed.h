/* Managed memory: prefetch, discard, advice and range attributes. */
#ifndef REPRISE_API_MANAGED_H
#define REPRISE_API_MANAGED_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, struct cudaMemLocation location,
                                             unsigned int flags, cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                  struct cudaMemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                                  size_t numPrefetchLocs, unsigned long long flags,
                                                  cudaStream_t stream);
REPRISE_API cudaError_t cudaMemDiscardBatchAsync(void** dptrs, size_t* sizes, size_t count, unsigned long long flags,
                                                 cudaStream_t stream);
REPRISE_API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count,
                                                            struct cudaMemLocation* prefetchLocs,
                                                            size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                                            unsigned long long flags, cudaStream_t stream);
REPRISE_API cudaError_t cudaMemAdvise(const void* devPtr, size_t count, enum cudaMemoryAdvise advice,
                                      struct cudaMemLocation location);
REPRISE_API cudaError_t cudaMemRangeGetAttribute(void* data, size_t dataSize, enum cudaMemRangeAttribute attribute,
                                                 const void* devPtr, size_t count);
REPRISE_API cudaError_t cudaMemRangeGetAttributes(void** data, size_t* dataSizes,
                                                  enum cudaMemRangeAttribute* attributes, size_t numAttributes,
                                                  const void* devPtr, size_t count);

REPRISE_END_C

#endif /* REPRISE_API_MANAGED_H */
