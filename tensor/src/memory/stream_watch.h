// What pools must be told: streams that go, captures that begin and end.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

namespace reprise {

class Pool;

// release_unused() of `pool` at the end of the last capture that is under way.
void put_off_release(std::weak_ptr<Pool> pool);
void release_what_was_put_off();

// Whether a Stream with this handle was destroyed and none has been created with it since.
bool is_destroyed(cudaStream_t stream);
// Makes Streams tell when they are destroyed: their work is then waited for, and their free memory becomes anyone's.
void watch_streams();
// Tells every pool that `stream` is about to be captured.
void before_capture(cudaStream_t stream);
// Every pool must be known here, for watch_streams and before_capture.
void add_pool(const std::shared_ptr<Pool>& pool);

}  // namespace reprise
