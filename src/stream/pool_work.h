// Allocating and freeing in the order of a stream.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::memory {
class Pool;
}

namespace reprise_runtime::stream {

// From `pool`, or, where that is null, the current pool of the stream's device. Nothing asked for is a null pointer.
[[nodiscard]] cudaError_t allocate_async(void** address, size_t bytes, memory::Pool* pool, cudaStream_t stream);
[[nodiscard]] cudaError_t free_async(void* address, cudaStream_t stream);

}  // namespace reprise_runtime::stream
