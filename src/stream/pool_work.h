// Allocating and freeing in the order of a stream. Thread safety: both may be called from any thread.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::memory {
class Pool;
}

namespace reprise_runtime::stream {

// Allocates from `pool`, or from the current pool of the stream's device if it is null. 0 bytes give a null pointer.
[[nodiscard]] cudaError_t allocate_async(void** address, size_t bytes, memory::Pool* pool, cudaStream_t stream);
[[nodiscard]] cudaError_t free_async(void* address, cudaStream_t stream);

}  // namespace reprise_runtime::stream
