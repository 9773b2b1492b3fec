// RAII wrappers for stream capture. They need only the CUDA API.
//
//   Capture capture(stream);
//   ...                                    // work submitted to `stream` is recorded
//   Graph graph = capture.end();
//
// Thread safety: any number of threads may capture at the same time, each on its own streams. In the modes
// thread_local_ and relaxed, other threads may make any call. In the mode global, they must not make calls that CUDA
// considers unsafe during a capture (for example cudaMalloc), except within a RelaxedCaptureMode.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/error.h>
#include <reprise/graph.h>
#include <reprise/stream.h>

#include <string>
#include <utility>
#include <vector>

namespace reprise {

enum class CaptureMode { global, thread_local_, relaxed };

inline cudaStreamCaptureMode to_cuda(CaptureMode mode) {
  switch (mode) {
    case CaptureMode::global:
      return cudaStreamCaptureModeGlobal;
    case CaptureMode::thread_local_:
      return cudaStreamCaptureModeThreadLocal;
    default:
      return cudaStreamCaptureModeRelaxed;
  }
}

// The mode with this name, as spelled in PyTorch and Paddle.
inline CaptureMode capture_mode(const std::string& name) {
  if (name == "global") return CaptureMode::global;
  if (name == "thread_local") return CaptureMode::thread_local_;
  if (name == "relaxed") return CaptureMode::relaxed;
  fail("unknown capture mode \"", name, "\": it must be \"global\", \"thread_local\" or \"relaxed\"");
}

struct CaptureState {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;  // of the capture; never 0
};

// The legacy stream cannot be captured, and a query of it would invalidate captures that depend on it.
inline CaptureState capture_state(StreamRef stream) {
  CaptureState state;
  if (stream.get() == nullptr || stream.get() == cudaStreamLegacy) return state;
  check_cuda(cudaStreamGetCaptureInfo(stream, &state.status, &state.id, nullptr, nullptr, nullptr, nullptr),
             "querying whether a stream is capturing");
  if (state.status == cudaStreamCaptureStatusNone) state.id = 0;
  return state;
}
inline bool is_capturing(StreamRef stream) { return capture_state(stream).status != cudaStreamCaptureStatusNone; }

// Within its scope, this thread may make calls that its own or another thread's capture would forbid.
class RelaxedCaptureMode {
 public:
  RelaxedCaptureMode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~RelaxedCaptureMode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCaptureMode(const RelaxedCaptureMode&) = delete;
  RelaxedCaptureMode& operator=(const RelaxedCaptureMode&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// A capture that is not owned, through a stream that takes part in it: the graph so far, and the nodes that the next
// work of the stream will depend on.
class CaptureRef {
 public:
  CaptureRef(StreamRef stream) : stream_(stream) {}

  StreamRef stream() const { return stream_; }
  CaptureState state() const { return capture_state(stream_); }
  unsigned long long id() const { return state().id; }
  bool is_active() const { return state().status == cudaStreamCaptureStatusActive; }

  GraphRef graph() const { return ask().graph; }
  std::vector<cudaGraphNode_t> last_nodes() const { return ask().last; }
  // The next work of the stream will depend on `nodes` instead, for example on nodes added to graph() explicitly.
  void set_last_nodes(std::vector<cudaGraphNode_t> nodes) const {
    check_cuda(cudaStreamUpdateCaptureDependencies(stream_, nodes.data(), nullptr, nodes.size(),
                                                   cudaStreamSetCaptureDependencies),
               "setting the dependencies of a capturing stream");
  }
  // Adds a node of any kind after last_nodes(); the next work of the stream will depend on it.
  cudaGraphNode_t add_last_node(cudaGraphNodeParams& parameters) const {
    const Answer now = ask();
    cudaGraphNode_t node;
    check_cuda(cudaGraphAddNode(&node, now.graph, now.last.data(), now.edges.data(), now.last.size(), &parameters),
               "adding a node to a capture");
    set_last_nodes({node});
    return node;
  }

 private:
  struct Answer {
    GraphRef graph = nullptr;
    std::vector<cudaGraphNode_t> last;
    std::vector<cudaGraphEdgeData> edges;  // from each of `last` to the next node
  };
  Answer ask() const {
    check(is_active(), "querying the graph of a capture: the stream is not capturing, or its capture is invalid");
    cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
    check_cuda(cudaStreamGetCaptureInfo(stream_, &status, &id, &graph, &nodes, &edges, &count),
               "querying the graph of a capture");
    // CUDA returns no edge data if all edges are ordinary.
    return {graph, std::vector<cudaGraphNode_t>(nodes, nodes + count),
            edges ? std::vector<cudaGraphEdgeData>(edges, edges + count) : std::vector<cudaGraphEdgeData>(count)};
  }

  StreamRef stream_;
};

// Owns a capture in progress. The destructor ends and discards it, so that its streams can be used again.
class Capture {
 public:
  explicit Capture(StreamRef stream, CaptureMode mode = CaptureMode::thread_local_) : stream_(stream) {
    check(stream.get() != nullptr && stream.get() != cudaStreamLegacy,
          "beginning a capture: the legacy default stream cannot be captured; capture a Stream instead");
    check_cuda(cudaStreamBeginCapture(stream, to_cuda(mode)), "beginning the capture of a stream");
    active_ = true;
  }
  // Records into an existing `graph`, after `dependencies`.
  Capture(StreamRef stream, GraphRef graph, const std::vector<cudaGraphNode_t>& dependencies,
          CaptureMode mode = CaptureMode::thread_local_)
      : stream_(stream), into_(graph) {
    check_cuda(
        cudaStreamBeginCaptureToGraph(stream, graph, dependencies.data(), nullptr, dependencies.size(), to_cuda(mode)),
        "beginning the capture of a stream into a graph");
    active_ = true;
  }
  Capture(Capture&& other) noexcept
      : stream_(other.stream_), into_(other.into_), active_(std::exchange(other.active_, false)) {}
  Capture& operator=(Capture&&) = delete;
  ~Capture() { abandon(); }

  CaptureRef ref() const { return stream_; }
  operator CaptureRef() const { return stream_; }
  StreamRef stream() const { return stream_; }
  unsigned long long id() const { return capture_state(stream_).id; }

  // Ends the capture and returns the graph. Streams that joined the capture must have been joined back to its stream.
  // The capture is over even if this throws.
  Graph end() {
    check(active_, "Capture::end: the capture has already ended");
    check(into_.get() == nullptr, "Capture::end: this capture records into an existing graph; call end_into()");
    active_ = false;
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream_, &graph), "ending the capture of a stream");
    return Graph::adopt(graph);
  }
  void end_into() {
    check(active_ && into_.get() != nullptr,
          "Capture::end_into: the capture has already ended, or does not record into an existing graph");
    active_ = false;
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream_, &graph), "ending the capture of a stream into a graph");
  }

 private:
  void abandon() {
    if (!std::exchange(active_, false)) return;
    cudaGraph_t graph = nullptr;
    cudaError_t code = cudaStreamEndCapture(stream_, &graph);
    if (code != cudaSuccess) cudaGetLastError();
    if (graph && into_.get() == nullptr) cudaGraphDestroy(graph);
  }

  StreamRef stream_;
  GraphRef into_ = nullptr;
  bool active_ = false;
};

}  // namespace reprise
