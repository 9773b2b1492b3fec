// Recording what streams are given as a graph, instead of running it. On the CUDA API alone.
//
// Thread safety: any number of threads may capture at once, each on streams of its own. What the other threads do
// meanwhile is the mode's business: with thread_local_ and relaxed they may do anything, with global they may not make
// calls that CUDA calls unsafe (cudaMalloc, say) unless they are within a RelaxedCaptureMode.
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

// By the names that PyTorch and Paddle use.
inline CaptureMode capture_mode(const std::string& name) {
  if (name == "global") return CaptureMode::global;
  if (name == "thread_local") return CaptureMode::thread_local_;
  if (name == "relaxed") return CaptureMode::relaxed;
  fail("a capture mode is \"global\", \"thread_local\" or \"relaxed\", not \"", name, "\"");
}

struct CaptureState {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;  // of the capture; none has 0
};

// The legacy stream is never captured; asking about it would end the captures that depend on it.
inline CaptureState capture_state(StreamRef stream) {
  CaptureState state;
  if (stream.get() == nullptr || stream.get() == cudaStreamLegacy) return state;
  check_cuda(cudaStreamGetCaptureInfo(stream, &state.status, &state.id, nullptr, nullptr, nullptr, nullptr),
             "asking whether a stream is capturing");
  if (state.status == cudaStreamCaptureStatusNone) state.id = 0;
  return state;
}
inline bool is_capturing(StreamRef stream) { return capture_state(stream).status != cudaStreamCaptureStatusNone; }

// Lets this thread make calls that a capture of its own or of another thread would forbid, for as long as it lives.
class RelaxedCaptureMode {
 public:
  RelaxedCaptureMode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~RelaxedCaptureMode() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCaptureMode(const RelaxedCaptureMode&) = delete;
  RelaxedCaptureMode& operator=(const RelaxedCaptureMode&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// Someone else's capture, seen from a stream that takes part in it: what it has recorded so far, and after what the
// stream's next work will come.
class CaptureRef {
 public:
  CaptureRef(StreamRef stream) : stream_(stream) {}

  StreamRef stream() const { return stream_; }
  CaptureState state() const { return capture_state(stream_); }
  unsigned long long id() const { return state().id; }
  bool is_active() const { return state().status == cudaStreamCaptureStatusActive; }

  GraphRef graph() const { return ask().graph; }
  std::vector<cudaGraphNode_t> last_nodes() const { return ask().last; }
  // What the stream is given next comes after these instead: nodes added to graph() by hand, say.
  void set_last_nodes(std::vector<cudaGraphNode_t> nodes) const {
    check_cuda(cudaStreamUpdateCaptureDependencies(stream_, nodes.data(), nullptr, nodes.size(),
                                                   cudaStreamSetCaptureDependencies),
               "changing what a capturing stream's next work comes after");
  }
  // Adds a node of any kind after the last ones, and the stream's next work comes after it.
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
    std::vector<cudaGraphEdgeData> edges;  // from each of the last nodes to what comes next
  };
  Answer ask() const {
    check(is_active(), "asking for the graph of a capture that is not under way");
    cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
    check_cuda(cudaStreamGetCaptureInfo(stream_, &status, &id, &graph, &nodes, &edges, &count),
               "asking for the graph of a capture");
    // Edges are left out where all are plain ones.
    return {graph, std::vector<cudaGraphNode_t>(nodes, nodes + count),
            edges ? std::vector<cudaGraphEdgeData>(edges, edges + count) : std::vector<cudaGraphEdgeData>(count)};
  }

  StreamRef stream_;
};

// A capture under way on a stream. One that is never ended is thrown away, and its streams are as before.
class Capture {
 public:
  explicit Capture(StreamRef stream, CaptureMode mode = CaptureMode::thread_local_) : stream_(stream) {
    check(stream.get() != nullptr && stream.get() != cudaStreamLegacy,
          "beginning a capture: the legacy default stream cannot be captured; use a Stream of your own");
    check_cuda(cudaStreamBeginCapture(stream, to_cuda(mode)), "beginning the capture of a stream");
    active_ = true;
  }
  // Records into `graph`, which is someone else's, after `dependencies`.
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

  // The graph of all that was recorded. Streams that joined must have been waited for. After a failure the capture is
  // over, too.
  Graph end() {
    check(active_, "ending a capture that has ended");
    check(into_.get() == nullptr, "ending a capture into another graph: use end_into()");
    active_ = false;
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream_, &graph), "ending the capture of a stream");
    return Graph::adopt(graph);
  }
  void end_into() {
    check(active_ && into_.get() != nullptr, "ending a capture into another graph that is none");
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
