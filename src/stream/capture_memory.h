// Allocations and frees in a capturing stream become nodes.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::memory {
class Pool;
}

namespace reprise_runtime::stream {

class Stream;

// Allocates on the device of `pool`, or of the stream if it is null.
[[nodiscard]] cudaError_t capture_allocation(Stream& stream, void** address, size_t bytes, memory::Pool* pool);
[[nodiscard]] cudaError_t capture_free(Stream& stream, void* address);

}  // namespace reprise_runtime::stream
