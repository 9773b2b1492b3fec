#include <reprise/error.h>
#include <reprise/segmented_graph.h>

#include "capture/warm_up.h"

namespace reprise {
namespace {
thread_local SegmentedGraph* capturing = nullptr;
}

void SegmentedGraph::capture(const std::function<void()>& work, const CaptureOptions& options) {
  check(!capturing, "SegmentedGraph::capture: called within the capture of another SegmentedGraph");
  if (options.warm_up > 0) run_warm_up(work, options.warm_up);
  reset();
  pool_ = options.pool ? options.pool : graph_pool_handle();
  mode_ = options.mode.value_or(CaptureMode::thread_local_);
  capturing = this;
  try {
    begin();
    work();
    segments_.back().graph.capture_end();
  } catch (...) {
    capturing = nullptr;
    if (!segments_.empty()) segments_.back().graph.capture_abort();
    reset();
    throw;
  }
  capturing = nullptr;
}

void SegmentedGraph::begin() {
  segments_.emplace_back();
  segments_.back().graph.capture_begin(pool_, mode_);
}

void SegmentedGraph::leave(std::function<void()> region) {
  segments_.back().graph.capture_end();
  segments_.back().after = std::move(region);
  begin();
}

void SegmentedGraph::replay() {
  check(!segments_.empty(), "SegmentedGraph::replay: nothing was captured; call capture() first");
  check(!is_current_stream_capturing(),
        "SegmentedGraph::replay: the current stream is capturing, and eager regions cannot be captured");
  for (Segment& segment : segments_) {
    segment.graph.replay();
    if (segment.after) segment.after();
  }
}

void SegmentedGraph::reset() {
  segments_.clear();
  pool_ = {};
}

void eagerly(std::function<void()> region) {
  if (capturing) {
    capturing->leave(std::move(region));
  } else {
    region();
  }
}

}  // namespace reprise
