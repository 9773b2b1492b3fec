#include "stream/capture.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "diagnose/stack.h"
#include "diagnose/tell.h"
#include "graph/define/access.h"
#include "stream/capture_explanation.h"
#include "stream/device_streams.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {
namespace {

using diagnose::refuse;

std::vector<Capture*>& captures() {
  static auto* all = new std::vector<Capture*>;
  return *all;
}

uint64_t next_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

cudaError_t check_mode(cudaStreamCaptureMode mode) {
  if (mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%d is not a cudaStreamCaptureMode", static_cast<int>(mode));
}

void tell_of_open_captures() {
  if (!any_capture() || !capture_mutex().try_lock()) return;
  for (const Capture* capture : captures()) {
    diagnose::tell(cudaLogLevelWarning, "the capture of stream " + std::to_string(capture->origin().stream_id) +
                                            ", begun by " + diagnose::describe_address(capture->begun_at()) +
                                            ", was still open when the program ended; its graph is lost. End it with "
                                            "cudaStreamEndCapture, also after an error");
  }
  capture_mutex().unlock();
}

}  // namespace

uint64_t this_thread() {
  static std::atomic<uint64_t> last{0};
  static thread_local const uint64_t own = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return own;
}

// ---- dependencies -----------------------------------------------------------------------------------------------

void Dependencies::set(cudaGraphNode_t node) {
  nodes.resize(1);
  data.resize(1);
  nodes[0] = node;
  data[0] = graph::plain_edge;
}

void Dependencies::add(cudaGraphNode_t node, const cudaGraphEdgeData& edge) {
  auto there = std::find(nodes.begin(), nodes.end(), node);
  if (there == nodes.end()) {
    nodes.push_back(node);
    data.push_back(edge);
  } else if (!graph::starts_early(edge)) {
    // A full dependency includes a programmatic one.
    data[static_cast<size_t>(there - nodes.begin())] = edge;
  }
}

void Dependencies::add(const Dependencies& more) {
  for (size_t i = 0; i < more.nodes.size(); ++i) add(more.nodes[i], more.data[i]);
}

// ---- beginning --------------------------------------------------------------------------------------------------

Capture::Capture(const CaptureBegin& begin, Ref<graph::Graph> graph)
    : id_(next_id()),
      begin_(begin),
      thread_(this_thread()),
      system_thread_(static_cast<int>(gettid())),
      graph_(std::move(graph)) {}

Capture::~Capture() = default;

const std::vector<Capture*>& Capture::all() { return captures(); }

cudaError_t Capture::start(cudaStream_t handle, const CaptureBegin& begin, Ref<graph::Graph> graph,
                           const Dependencies& after) {
  [[maybe_unused]] static const int told = std::atexit(&tell_of_open_captures);
  Result<Ref<Stream>> stream = find(handle);
  if (!stream.ok()) return stream.status();
  MutexLock lock(capture_mutex());
  CapturePart* part = (*stream)->capture();
  if ((*stream)->kind() == Kind::legacy) return part ? explain::legacy_used(**stream) : explain::legacy_begin();
  if (part) return explain::already_capturing(*part);
  {
    MutexLock graph_lock(graph->mutex());
    if (graph->capturing()) return explain::graph_in_use(*graph);
    graph->set_capturing(true);
  }
  Ref<Capture> capture = Ref<Capture>::adopt(new Capture(begin, std::move(graph)));
  capture->enter(**stream, after);
  captures().push_back(capture.detach());
  capture_count.fetch_add(1, std::memory_order_relaxed);
  return cudaSuccess;
}

cudaError_t Capture::begin(cudaStream_t stream, const CaptureBegin& begin) {
  if (cudaError_t refused = check_mode(begin.mode); refused != cudaSuccess) return refused;
  Ref<graph::Graph> graph = graph::graphs().create();
  if (!graph) return cudaErrorMemoryAllocation;
  const Handle made = graph->handle();
  const cudaError_t status = start(stream, begin, std::move(graph), {});
  if (status != cudaSuccess) graph::graphs().erase(made);
  return status;
}

cudaError_t Capture::begin_to_graph(cudaStream_t stream, cudaGraph_t handle, const cudaGraphNode_t* nodes,
                                    const cudaGraphEdgeData* data, size_t count, const CaptureBegin& begin) {
  if (cudaError_t refused = check_mode(begin.mode); refused != cudaSuccess) return refused;
  Ref<graph::Graph> graph = graph::graphs().find(Handle::from(handle));
  if (!graph) return graph::no_such_graph(handle);
  Dependencies after;
  {
    MutexLock lock(graph->mutex());
    if (cudaError_t refused = graph->check_dependencies(nodes, data, count); refused != cudaSuccess) return refused;
  }
  for (size_t i = 0; i < count; ++i) after.add(nodes[i], data ? data[i] : graph::plain_edge);
  return start(stream, begin, std::move(graph), after);
}

void Capture::enter(Stream& stream, const Dependencies& after) {
  const bool blocking = stream.kind() != Kind::non_blocking;
  parts_.push_back(
      std::make_unique<CapturePart>(CapturePart{this, &stream, stream.id(), stream.device(), blocking, after}));
  stream.set_capture(parts_.back().get());
  if (blocking) DeviceStreams::of(stream.device()).blocking_capture_began();
}

// ---- nodes ------------------------------------------------------------------------------------------------------

template <class What>
Result<graph::Node*> Capture::append(CapturePart& part, What&& what) {
  Dependencies& next = part.next;
  Result<graph::Node*> added = [&] {
    MutexLock lock(graph_->mutex());
    return graph_->add_captured(std::move(what), part.device, next.nodes.data(), next.data.data(), next.nodes.size());
  }();
  if (!added.ok()) return added;
  const cudaGraphNode_t node = (*added)->as_user();
  // The common case: the node follows the previous one.
  if (next.nodes.size() == 1 && !open_.empty() && open_.back().node == next.nodes[0]) {
    open_.back() = {node, part.stream_id};
  } else {
    std::erase_if(open_, [&](const Open& open) {
      return std::find(next.nodes.begin(), next.nodes.end(), open.node) != next.nodes.end();
    });
    open_.push_back({node, part.stream_id});
  }
  next.set(node);
  return added;
}

template Result<graph::Node*> Capture::append(CapturePart&, graph::Work&&);
template Result<graph::Node*> Capture::append(CapturePart&, op::Kernel&&);

void Capture::replace_dependencies(CapturePart& part, Dependencies&& dependencies) {
  std::erase_if(open_, [&](const Open& open) {
    return std::find(part.next.nodes.begin(), part.next.nodes.end(), open.node) != part.next.nodes.end();
  });
  part.next = std::move(dependencies);
}

// ---- ending -----------------------------------------------------------------------------------------------------

const Capture::Open* Capture::unjoined() const {
  const Dependencies& last = origin().next;
  for (const Open& open : open_) {
    // Any kind of edge counts: NVIDIA's runtime accepts a programmatic edge from a kernel as a join as well.
    if (std::find(last.nodes.begin(), last.nodes.end(), open.node) == last.nodes.end()) return &open;
  }
  return nullptr;
}

Ref<graph::Graph> Capture::finish(bool keep_graph) {
  for (const std::unique_ptr<CapturePart>& part : parts_) {
    if (part->blocking) DeviceStreams::of(part->device).blocking_capture_ended();
    if (part->stream) part->stream->set_capture(nullptr);
  }
  parts_.clear();
  open_.clear();
  status_ = cudaStreamCaptureStatusNone;
  std::erase(captures(), this);
  capture_count.fetch_sub(1, std::memory_order_relaxed);

  Ref<graph::Graph> graph = std::move(graph_);
  {
    MutexLock lock(graph->mutex());
    graph->set_capturing(false);
    if (!keep_graph) graph->clear();
  }
  // A graph that is embedded in another belongs to the node there.
  if (!keep_graph && !graph->embedded()) graph::graphs().erase(graph->handle());
  release();  // the reference that captures() holds
  return graph;
}

void Capture::leave(CapturePart& part) {
  if (&part == &origin()) {
    static_cast<void>(finish(false));
    return;
  }
  part.stream->set_capture(nullptr);
  part.stream = nullptr;
}

cudaError_t Capture::end(cudaStream_t handle, cudaGraph_t* out) {
  if (out) *out = nullptr;
  Result<Ref<Stream>> stream = find(handle);
  if (!stream.ok()) return stream.status();
  MutexLock lock(capture_mutex());
  CapturePart* part = (*stream)->capture();
  if (part && !part->capture) return explain::legacy_used(**stream);
  if (!part) return explain::end_without_begin(**stream);
  Ref<Capture> capture(part->capture);
  if (part != &capture->origin()) return explain::ended_on_joined_stream(*part);

  cudaError_t status = cudaSuccess;
  if (!capture->active()) {
    status = explain::ended_invalidated(*capture);
  } else if (capture->mode() != cudaStreamCaptureModeRelaxed && capture->thread() != this_thread()) {
    status = explain::ended_by_wrong_thread(*capture);
  } else if (const Open* open = capture->unjoined()) {
    status = explain::unjoined(*capture, *open);
  }
  Ref<graph::Graph> graph = capture->finish(status == cudaSuccess);
  // Without `out` the caller has the graph from cudaStreamBeginCaptureToGraph or cudaStreamGetCaptureInfo.
  if (status == cudaSuccess && out) *out = graph->as_user();
  return status;
}

}  // namespace reprise_runtime::stream
