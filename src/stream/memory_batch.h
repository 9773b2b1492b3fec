// Batches of copies, prefetches and discards. All items are checked before the first is queued.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::stream {

[[nodiscard]] cudaError_t copy_batch(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                                     const cudaMemcpyAttributes* attributes, const size_t* first_of_attribute,
                                     size_t attribute_count, cudaStream_t stream);
[[nodiscard]] cudaError_t copy_batch_3d(size_t count, const cudaMemcpy3DBatchOp* operations, unsigned long long flags,
                                        cudaStream_t stream);

[[nodiscard]] cudaError_t prefetch(const void* address, size_t bytes, cudaMemLocation location, unsigned flags,
                                   cudaStream_t stream);

struct RangeBatch {
  void* const* addresses;
  const size_t* sizes;
  size_t count;
};
struct LocationBatch {
  const cudaMemLocation* locations;
  const size_t* first_ranges;  // first range of each location; it ends before the next location's first range
  size_t count;
};
[[nodiscard]] cudaError_t discard_batch(const RangeBatch& ranges, unsigned long long flags, cudaStream_t stream);
[[nodiscard]] cudaError_t prefetch_batch(const RangeBatch& ranges, const LocationBatch& locations, bool discard_first,
                                         unsigned long long flags, cudaStream_t stream);

}  // namespace reprise_runtime::stream
