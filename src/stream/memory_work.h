// Copies and sets in a stream. docs/memory.md lists which of them the caller waits for.
// Thread safety: every function may be called from any thread.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "base/status.h"
#include "op/memcpy.h"
#include "op/memset.h"

namespace reprise_runtime::stream {

// `copy` and `set` are results of op::Memcpy and op::Memset builders; an error is returned as it is.

// The calls without "Async" in their names, which wait.
[[nodiscard]] cudaError_t copy_now(cudaStream_t stream, Result<op::Memcpy>&& copy);
[[nodiscard]] cudaError_t set_now(cudaStream_t stream, Result<op::Memset>&& set);

// The calls with "Async" in their names.
[[nodiscard]] cudaError_t copy_async(cudaStream_t stream, Result<op::Memcpy>&& copy);
[[nodiscard]] cudaError_t set_async(cudaStream_t stream, Result<op::Memset>&& set);

// cudaMemcpyPeerAsync and its 3D form, which cannot be captured.
[[nodiscard]] cudaError_t copy_peer_async(cudaStream_t stream, Result<op::Memcpy>&& copy);

// Copies between devices: runs after the work of both, and before the later work of both.
[[nodiscard]] cudaError_t copy_between(cudaStream_t stream, Result<op::Memcpy>&& copy, int to_device, int from_device);

// Frees memory after all work of its device is done. `free` checks the address and frees.
[[nodiscard]] cudaError_t free_when_idle(void* address, cudaError_t (*free)(void* address));

}  // namespace reprise_runtime::stream
