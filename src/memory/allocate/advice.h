// Advice about managed memory, page by page. On a CPU no data migrates: advice is stored and returned by queries, and a
// prefetch makes the pages present.
// Thread safety: all calls may be made from any thread.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::memory {

cudaError_t advise(const void* address, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location);

cudaError_t range_attribute(void* data, std::size_t data_bytes, cudaMemRangeAttribute which, const void* address,
                            std::size_t bytes);
cudaError_t range_attributes(void** data, std::size_t* data_bytes, cudaMemRangeAttribute* which, std::size_t count,
                             const void* address, std::size_t bytes);

// Checks that prefetches and discards make before they are queued.
cudaError_t check_location(cudaMemLocation location);
cudaError_t check_managed_range(const void* address, std::size_t bytes);

// A prefetch is recorded at the call and done in stream order.
void note_prefetch(const void* address, std::size_t bytes, cudaMemLocation location);
void populate(const void* address, std::size_t bytes);
void discard(const void* address, std::size_t bytes);

// Drops the advice of a managed allocation that is being freed.
void forget_advice(std::uintptr_t base, std::size_t bytes);

}  // namespace reprise_runtime::memory
