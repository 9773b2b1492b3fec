#include "graph/graph_recording.h"

#include <reprise/error.h>

#include <atomic>

#include "graph/generator_position.h"
#include "graph/host_memory.h"
#include "memory/pool_registry.h"

namespace reprise {
namespace {
std::atomic<std::uint64_t> last_graph{0};
}

GraphRecording::GraphRecording(PoolHandle pool, CaptureMode mode) {
  StreamRef stream = stream_before_;
  check(!is_capturing(stream),
        "capture_begin: the current stream is capturing already; a captured graph can be replayed "
        "within another capture, and becomes part of it");
  pool_ = (pool ? pool : graph_pool_handle()).pool();
  pool_->add_user();
  try {
    Event before;
    stream.record(before);
    std::optional<StreamRef> before_stream;
    if (stream.get() == nullptr || stream.get() == cudaStreamLegacy) {
      own_stream_.emplace();
      guard_ = std::make_unique<StreamGuard>(own_stream_->get());
      before_stream = stream;
      stream = *own_stream_;
    }
    before_ = pool_->statistics();
    peak_.emplace(pool_);
    before_capture(stream);
    capture_.emplace(stream, mode);
    context_ = std::make_shared<CaptureContext>(++last_graph, capture_->id(), stream, pool_);
    context_->set_prior_work(std::move(before), before_stream);
    begin_capture_context(context_);
  } catch (...) {
    pool_->remove_user();
    throw;
  }
}

GraphRecording::~GraphRecording() { close(); }

// Every exit path calls this.
void GraphRecording::close() noexcept {
  if (!context_) return;
  capture_.reset();
  {
    // Destroyed after the context, since it may hold memory of the capture.
    CaptureResult rest = context_->take_result();
    discard(rest);
    end_capture_context(context_);
    if (guard_) leave(context_->stream());
    context_.reset();
  }
  pool_->remove_user();
}

void GraphRecording::discard(CaptureResult& result) noexcept {
  result.memory.abandon();
  for (const auto& undo : result.undo) undo();
}

void GraphRecording::leave(StreamRef own_stream) noexcept {
  if (thread_ != std::this_thread::get_id()) {
    // Called by another thread: the capturing thread still uses the guard and the stream, so they are leaked.
    guard_.release();
    if (own_stream_) new Stream(std::move(*own_stream_));
    return;
  }
  guard_.reset();
  StreamGuard::replace(own_stream, stream_before_);
}

void GraphRecording::check_can_end() const {
  check(thread_ == std::this_thread::get_id(),
        "capture_end: called by another thread than capture_begin; the capture goes on");
  check(current_stream() == context_->stream().get(),
        "capture_end: the current stream is not the one on which the capture began (a ",
        "StreamGuard is still alive, or was destroyed); the capture goes on");
}

std::shared_ptr<CapturedGraph> GraphRecording::end() {
  StreamRef stream = context_->stream();
  CaptureResult result = context_->take_result();
  try {
    for (const CapturedGenerator& captured : result.generators) {
      advance_generator_position(static_cast<std::uint64_t*>(const_cast<void*>(captured.position->address())),
                                 captured.draws, stream);
    }
    Graph graph = capture_->end();
    keep_host_memory_of(graph, result);
    result.undo.clear();
    auto captured = std::make_shared<CapturedGraph>(std::move(graph), std::move(result), pool_, std::move(own_stream_));
    captured->statistics.before = before_;
    captured->statistics.peak_live = peak_->bytes();
    close();
    captured->statistics.after = pool_->statistics();
    return captured;
  } catch (...) {
    discard(result);
    close();
    throw;
  }
}

}  // namespace reprise
