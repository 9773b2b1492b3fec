// Copies and sets in a stream, with what CUDA says about which of them the caller waits for: docs/memory.md.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "base/status.h"
#include "op/memcpy.h"
#include "op/memset.h"

namespace reprise_runtime::stream {

// `copy` and `set` come as they were built: what was refused is returned as it is.

// The calls without "Async" in their names.
[[nodiscard]] cudaError_t copy_now(cudaStream_t stream, Result<op::Memcpy>&& copy);
[[nodiscard]] cudaError_t set_now(cudaStream_t stream, Result<op::Memset>&& set);

// Those with it.
[[nodiscard]] cudaError_t copy_async(cudaStream_t stream, Result<op::Memcpy>&& copy);
[[nodiscard]] cudaError_t set_async(cudaStream_t stream, Result<op::Memset>&& set);

// One of the calls that name devices: no graph has them.
[[nodiscard]] cudaError_t copy_peer_async(cudaStream_t stream, Result<op::Memcpy>&& copy);

// Between devices: follows the work of both, and the work of both follows it.
[[nodiscard]] cudaError_t copy_between(cudaStream_t stream, Result<op::Memcpy>&& copy, int to_device, int from_device);

// Frees memory after all work of its device, which may be using it, is done. `free` checks the address and frees.
[[nodiscard]] cudaError_t free_when_idle(void* address, cudaError_t (*free)(void* address));

}  // namespace reprise_runtime::stream
