// Host memory in captured copies. Replays access it again, so the graph keeps it alive or rejects the copy.
#pragma once

#include <reprise/graph.h>

#include "capture/capture_context.h"

namespace reprise {

// Registers page-locked memory of a HostBuffer by address and returns its owner. The last owner calls `release` with
// the memory.
std::shared_ptr<void> host_buffer_memory(void* data, std::size_t bytes, void (*release)(void*));

// Checks the copies in `graph`, its child graphs, and the bodies of branches and loops. Adds the HostBuffers that they
// use to `result`. Throws if a copy uses other host memory that was not promised to stay valid.
void keep_host_memory_of(GraphRef graph, CaptureResult& result);

// Keeps `memory` with the graph that the current stream is capturing, or until the stream's work so far is done.
void keep_until_done(std::shared_ptr<const void> memory);
// Releases memory kept by keep_until_done() whose work is done. Called occasionally, since host functions in a stream
// must not call cudaFreeHost.
void release_finished_host_memory();

}  // namespace reprise
