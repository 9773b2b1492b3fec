// Launches and uploads of executable graphs in streams. Thread safety: both may be called from any thread.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::stream {

// Runs after all work in the stream, and after earlier launches of the graph in any stream.
[[nodiscard]] cudaError_t launch_graph(cudaGraphExec_t exec, cudaStream_t stream);

// Maps the graph memory of the next launch. A graph that device code launches gets its pending updates.
[[nodiscard]] cudaError_t upload_graph(cudaGraphExec_t exec, cudaStream_t stream);

}  // namespace reprise_runtime::stream
