// Batches of copies; prefetches and discards of managed memory, single and in batches.
#include <cuda_runtime_api.h>

#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using driver::as_runtime;
using driver::pointer;

namespace {

// Arrays of addresses, which the driver passes as numbers.
void** addresses(CUdeviceptr* array) { return reinterpret_cast<void**>(array); }

}  // namespace

extern "C" {

CALL_PTSZ(cuMemcpyBatchAsync,
          (CUdeviceptr * dsts, CUdeviceptr* srcs, size_t* sizes, size_t count, CUmemcpyAttributes* attrs,
           size_t* attrsIdxs, size_t numAttrs, CUstream hStream),
          (dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream),
          cudaMemcpyBatchAsync(addresses(dsts), const_cast<const void**>(addresses(srcs)), sizes, count,
                               as_runtime(attrs), attrsIdxs, numAttrs, hStream))
CALL_PTSZ(cuMemcpy3DBatchAsync,
          (size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, unsigned long long flags, CUstream hStream),
          (numOps, opList, flags, hStream), cudaMemcpy3DBatchAsync(numOps, as_runtime(opList), flags, hStream))

CALL_PTSZ(cuMemPrefetchAsync,
          (CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream),
          (devPtr, count, as_runtime(location), flags, hStream),
          cudaMemPrefetchAsync(pointer(devPtr), count, as_runtime(location), flags, hStream))
CALL_PTSZ(cuMemPrefetchBatchAsync,
          (CUdeviceptr * dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
           size_t numPrefetchLocs, unsigned long long flags, CUstream hStream),
          (dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, hStream),
          cudaMemPrefetchBatchAsync(addresses(dptrs), sizes, count, as_runtime(prefetchLocs), prefetchLocIdxs,
                                    numPrefetchLocs, flags, hStream))
CALL_PTSZ(cuMemDiscardBatchAsync,
          (CUdeviceptr * dptrs, size_t* sizes, size_t count, unsigned long long flags, CUstream hStream),
          (dptrs, sizes, count, flags, hStream),
          cudaMemDiscardBatchAsync(addresses(dptrs), sizes, count, flags, hStream))
CALL_PTSZ(cuMemDiscardAndPrefetchBatchAsync,
          (CUdeviceptr * dptrs, size_t* sizes, size_t count, CUmemLocation* prefetchLocs, size_t* prefetchLocIdxs,
           size_t numPrefetchLocs, unsigned long long flags, CUstream hStream),
          (dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, hStream),
          cudaMemDiscardAndPrefetchBatchAsync(addresses(dptrs), sizes, count, as_runtime(prefetchLocs), prefetchLocIdxs,
                                              numPrefetchLocs, flags, hStream))
}
