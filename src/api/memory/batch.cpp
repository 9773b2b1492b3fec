// Batches of copies; prefetches and discards of managed memory, single and in batches.
#include <cuda_runtime_api.h>

#include "api/entry/default_stream.h"
#include "stream/memory_batch.h"

using namespace reprise_runtime;

extern "C" {

WITH_STREAM(cudaMemcpyBatchAsync,
            (void* const* dsts, const void* const* srcs, const size_t* sizes, size_t count, cudaMemcpyAttributes* attrs,
             size_t* attrsIdxs, size_t numAttrs, cudaStream_t stream),
            (dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, stream),
            stream::copy_batch(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, stream))

WITH_STREAM(cudaMemcpy3DBatchAsync,
            (size_t numOps, cudaMemcpy3DBatchOp* opList, unsigned long long flags, cudaStream_t stream),
            (numOps, opList, flags, stream), stream::copy_batch_3d(numOps, opList, flags, stream))

WITH_STREAM(cudaMemPrefetchAsync,
            (const void* devPtr, size_t count, cudaMemLocation location, unsigned int flags, cudaStream_t stream),
            (devPtr, count, location, flags, stream), stream::prefetch(devPtr, count, location, flags, stream))

WITH_STREAM(cudaMemPrefetchBatchAsync,
            (void** dptrs, size_t* sizes, size_t count, cudaMemLocation* prefetchLocs, size_t* prefetchLocIdxs,
             size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream),
            (dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream),
            stream::prefetch_batch({dptrs, sizes, count}, {prefetchLocs, prefetchLocIdxs, numPrefetchLocs}, false,
                                   flags, stream))

WITH_STREAM(cudaMemDiscardBatchAsync,
            (void** dptrs, size_t* sizes, size_t count, unsigned long long flags, cudaStream_t stream),
            (dptrs, sizes, count, flags, stream), stream::discard_batch({dptrs, sizes, count}, flags, stream))

WITH_STREAM(cudaMemDiscardAndPrefetchBatchAsync,
            (void** dptrs, size_t* sizes, size_t count, cudaMemLocation* prefetchLocs, size_t* prefetchLocIdxs,
             size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream),
            (dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream),
            stream::prefetch_batch({dptrs, sizes, count}, {prefetchLocs, prefetchLocIdxs, numPrefetchLocs}, true, flags,
                                   stream))
}
