// Host memory that captured copies use: replays use it again, so it is kept with the graph, or refused.
#pragma once

#include <reprise/graph.h>

#include "capture/capture_context.h"

namespace reprise {

// Page-locked memory of a HostBuffer, found by address from now on; what is returned keeps it. `release` is called with
// the memory when the last owner goes.
std::shared_ptr<void> host_buffer_memory(void* data, std::size_t bytes, void (*release)(void*));

// Looks at the copies in `graph`, its child graphs and the bodies of branches and loops that were captured with it.
// What HostBuffers own is kept in `result`. Throws where host memory is no HostBuffer's and no one promised to keep it.
void keep_host_memory_of(GraphRef graph, CaptureResult& result);

// Keeps `memory` with the graph that the current stream is capturing, or until the stream's work so far is done.
void keep_until_done(std::shared_ptr<const void> memory);
// Of what was kept for a stream's work: drops what is done. Called now and then, as no one may free within a stream.
void drop_host_memory_that_is_done();

}  // namespace reprise
