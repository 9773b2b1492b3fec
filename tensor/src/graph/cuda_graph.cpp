#include <reprise/cuda_graph.h>
#include <reprise/error.h>

#include <exception>
#include <utility>

#include "capture/warm_up.h"
#include "graph/captured_graph.h"
#include "graph/graph_recording.h"
#include "graph/warning.h"

namespace reprise {

CUDAGraph::CUDAGraph() = default;
CUDAGraph::CUDAGraph(CaptureMode mode) : mode_(mode) {}
CUDAGraph::CUDAGraph(CUDAGraph&& other) noexcept = default;
CUDAGraph& CUDAGraph::operator=(CUDAGraph&& other) noexcept = default;
CUDAGraph::~CUDAGraph() = default;

void CUDAGraph::capture(const std::function<void()>& work, const CaptureOptions& options) {
  check(!recording_ && !captured_, "capture: this CUDAGraph is captured already; call reset() first");
  check(!is_current_stream_capturing(),
        "capture: the current stream is capturing already; a captured graph can be replayed ",
        "within another capture, and becomes part of it");
  if (options.warm_up > 0) run_warm_up(work, options.warm_up);
  capture_begin(options.pool, options.mode);
  try {
    work();
  } catch (...) {
    capture_abort();
    throw;
  }
  capture_end();
}

void CUDAGraph::capture_begin(PoolHandle pool, std::optional<CaptureMode> mode) {
  check(!recording_, "capture_begin: this CUDAGraph is being captured already");
  check(!captured_, "capture_begin: this CUDAGraph is captured already; call reset() first");
  recording_ = std::make_unique<GraphRecording>(std::move(pool), mode.value_or(mode_));
}

void CUDAGraph::capture_end() {
  check(recording_ != nullptr, "capture_end without capture_begin");
  recording_->check_can_end();
  std::unique_ptr<GraphRecording> recording = std::move(recording_);
  captured_ = recording->end();
  if (captured_->graph().ref().node_count() == 0) {
    warn("The captured graph " + std::to_string(id()) +
         " is empty: nothing was submitted to the stream that was captured");
  }
  if (hooks.capture_end) hooks.capture_end();
}

void CUDAGraph::capture_abort() noexcept { recording_.reset(); }

CapturedGraph& CUDAGraph::captured(const char* asked) const {
  check(!recording_, asked, ": the capture has not ended; call capture_end() first");
  check(captured_ != nullptr, asked,
        ": there is no captured graph; it was never captured, the capture failed, or reset() was called");
  return *captured_;
}

void CUDAGraph::instantiate() {
  CapturedGraph& graph = captured("instantiate");
  if (graph.is_instantiated()) return;
  graph.instantiate();
  if (hooks.instantiate) hooks.instantiate();
}

void CUDAGraph::replay() {
  CapturedGraph& graph = captured("replay");
  StreamRef stream = current_stream();
  if (auto context = capture_context_of(stream)) {
    graph.add_to_capture(*context, stream, captured_);
    return;
  }
  instantiate();
  graph.replay(stream);
  if (hooks.replay) hooks.replay();
}

void CUDAGraph::wait_for_replays() { captured("wait_for_replays").pool()->order().wait_for_replays(current_stream()); }

void CUDAGraph::reset() {
  check(!recording_, "reset: the capture has not ended; call capture_end() or capture_abort() first");
  if (!captured_) return;
  captured_.reset();
  if (hooks.reset) hooks.reset();
}

PoolHandle CUDAGraph::pool() const { return PoolHandle(captured("pool").pool()); }
GraphStatistics CUDAGraph::statistics() const { return captured("statistics").statistics; }
std::size_t CUDAGraph::node_count() const { return captured("node_count").graph().ref().node_count(); }
std::uint64_t CUDAGraph::id() const { return captured_ ? captured_->id() : 0; }
std::uint64_t CUDAGraph::replays() const { return captured_ ? captured_->replays() : 0; }
GraphRef CUDAGraph::raw_graph() const { return captured("raw_graph").graph(); }
GraphExecRef CUDAGraph::raw_exec() {
  instantiate();
  captured_->mark_results_computed();
  return *captured_->exec();
}

void CUDAGraph::debug_dump(const std::string& path) const { captured("debug_dump").graph().ref().print_dot(path); }

GraphCapture::GraphCapture(CUDAGraph& graph, PoolHandle pool, std::optional<CaptureMode> mode)
    : graph_(graph), exceptions_(std::uncaught_exceptions()) {
  graph_.capture_begin(std::move(pool), mode);
}
GraphCapture::GraphCapture(CUDAGraph& graph, PoolHandle pool, StreamRef stream, std::optional<CaptureMode> mode)
    : graph_(graph), stream_(std::make_unique<StreamGuard>(stream)), exceptions_(std::uncaught_exceptions()) {
  graph_.capture_begin(std::move(pool), mode);
}
GraphCapture::~GraphCapture() noexcept(false) {
  if (std::uncaught_exceptions() > exceptions_) {
    graph_.capture_abort();
  } else if (graph_.is_capturing()) {
    try {
      graph_.capture_end();
    } catch (...) {
      graph_.capture_abort();
      throw;
    }
  }
}

}  // namespace reprise
