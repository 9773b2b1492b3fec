// Stream capture: begin, end, queries, and changes of the dependencies of the next node.
#include "stream/capture.h"

#include <cuda_runtime_api.h>

#include "api/entry/default_stream.h"
#include "stream/capture_dependencies.h"

using namespace reprise_runtime;
using api::entry;
using api::per_thread;

namespace {

// Records the caller of the entry point that this is inlined into.
[[gnu::always_inline]] inline stream::CaptureBegin begin_here(cudaStreamCaptureMode mode) {
  return {mode, __builtin_return_address(0)};
}

}  // namespace

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const stream::CaptureBegin begin = begin_here(mode);
  return entry([&] { return stream::Capture::begin(stream, begin); }, ARGUMENTS(stream, mode));
}
REPRISE_EXPORT cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const stream::CaptureBegin begin = begin_here(mode);
  return entry([&] { return stream::Capture::begin(per_thread(stream), begin); }, ARGUMENTS(stream, mode));
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* data, size_t count, cudaStreamCaptureMode mode) {
  const stream::CaptureBegin begin = begin_here(mode);
  return entry([&] { return stream::Capture::begin_to_graph(stream, graph, dependencies, data, count, begin); },
               ARGUMENTS(stream, graph, dependencies, data, count, mode));
}
REPRISE_EXPORT cudaError_t cudaStreamBeginCaptureToGraph_ptsz(cudaStream_t stream, cudaGraph_t graph,
                                                              const cudaGraphNode_t* dependencies,
                                                              const cudaGraphEdgeData* data, size_t count,
                                                              cudaStreamCaptureMode mode) {
  const stream::CaptureBegin begin = begin_here(mode);
  return entry(
      [&] { return stream::Capture::begin_to_graph(per_thread(stream), graph, dependencies, data, count, begin); },
      ARGUMENTS(stream, graph, dependencies, data, count, mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return entry([&] { return stream::Capture::end(stream, graph); }, ARGUMENTS(stream, graph));
}
REPRISE_EXPORT cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t stream, cudaGraph_t* graph) {
  return entry([&] { return stream::Capture::end(per_thread(stream), graph); }, ARGUMENTS(stream, graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return entry([&] { return stream::is_capturing(stream, status); }, ARGUMENTS(stream, status));
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** data, size_t* count) {
  return entry([&] { return stream::capture_info(stream, {status, id, graph, dependencies, data, count}); },
               ARGUMENTS(stream, status, id, graph, dependencies, data, count));
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* data, size_t count, unsigned flags) {
  return entry([&] { return stream::update_dependencies(stream, dependencies, data, count, flags); },
               ARGUMENTS(stream, dependencies, data, count, flags));
}
REPRISE_EXPORT cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                                    const cudaGraphEdgeData* data, size_t count,
                                                                    unsigned flags) {
  return entry([&] { return stream::update_dependencies(per_thread(stream), dependencies, data, count, flags); },
               ARGUMENTS(stream, dependencies, data, count, flags));
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return entry([&] { return stream::exchange_thread_mode(mode); }, ARGUMENTS(mode));
}
}
