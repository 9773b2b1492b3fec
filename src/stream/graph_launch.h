// Executable graphs in streams.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::stream {

// After all that is in the stream, and after the graph's earlier launches wherever they are.
[[nodiscard]] cudaError_t launch_graph(cudaGraphExec_t exec, cudaStream_t stream);

// Makes the next launch cheap, for which there is nothing left to do on a CPU; a graph that device code launches gets
// the changes that were asked for.
[[nodiscard]] cudaError_t upload_graph(cudaGraphExec_t exec, cudaStream_t stream);

}  // namespace reprise_runtime::stream
