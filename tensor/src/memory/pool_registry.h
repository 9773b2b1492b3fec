// The list of all pools, which must learn about destroyed streams and about captures that begin and end.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

namespace reprise {

class Pool;

// Calls release_unused() of `pool` when the last capture in progress ends.
void defer_release(std::weak_ptr<Pool> pool);
void run_deferred_releases();

// Whether the Stream with this handle was destroyed, and no other has been created with the same handle since.
bool is_destroyed(cudaStream_t stream);
// Installs stream_hooks. When a Stream is destroyed, they wait for its work and make its free blocks usable by all.
void register_stream_hooks();
// Tells every pool that `stream` is about to be captured.
void before_capture(cudaStream_t stream);
// Every pool must be registered.
void register_pool(const std::shared_ptr<Pool>& pool);

}  // namespace reprise
