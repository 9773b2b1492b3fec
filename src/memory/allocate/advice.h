// What a program advised about managed memory, page by page, and what it may ask back. On a CPU no data moves: advice
// is kept and answered; a prefetch makes sure that the pages are there.
// Thread safety: all calls, from anywhere.
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

// What prefetching and discarding check before they are queued.
cudaError_t check_location(cudaMemLocation location);
cudaError_t check_managed_range(const void* address, std::size_t bytes);

// A prefetch is remembered when it is asked for, and done when its turn comes.
void note_prefetch(const void* address, std::size_t bytes, cudaMemLocation location);
void populate(const void* address, std::size_t bytes);
void discard(const void* address, std::size_t bytes);

// A managed allocation is being freed.
void forget_advice(std::uintptr_t base, std::size_t bytes);

}  // namespace reprise_runtime::memory
