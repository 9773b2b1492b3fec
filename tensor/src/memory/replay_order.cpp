#include "memory/replay_order.h"

#include <reprise/capture.h>
#include <reprise/error.h>

#include <algorithm>

namespace reprise {

void Contents::check_readable(const char* reader) const {
  check(replay() != 0 || !is_abandoned(), reader, " a tensor made in the capture of graph ", graph_,
        ", which was discarded or reset before a replay computed it: create the tensor again, or write to it first");
  check(replay() != 0, reader, " a tensor made in the capture of graph ", graph_,
        ", which has not been replayed since: a capture computes nothing; call replay() first");
  std::uint64_t by = overwritten_by();
  check(by == 0, reader, " a tensor of graph ", graph_, ", whose memory graph ", by,
        " of the same pool has overwritten since: read it or clone() it before graph ", by,
        " is replayed, or replay graph ", graph_, " again");
}

void GraphMemory::abandon() {
  for (const auto& each : tensors) {
    auto contents = each.lock();
    if (contents && contents->replay() == 0) contents->abandon();
  }
}

void ReplayOrder::add(GraphMemory& graph) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (GraphMemory* other : graphs_) {
    note_overwriting(graph, *other);
    note_overwriting(*other, graph);
  }
  graphs_.push_back(&graph);
}

void ReplayOrder::remove(GraphMemory& graph) {
  std::lock_guard<std::mutex> lock(mutex_);
  graphs_.erase(std::remove(graphs_.begin(), graphs_.end(), &graph), graphs_.end());
}

void ReplayOrder::note_overwriting(GraphMemory& writer, const GraphMemory& other) {
  for (const auto& each : other.tensors) {
    auto contents = each.lock();
    if (contents && writer.allocated.overlaps(contents->range())) writer.overwrites.push_back(each);
  }
}

void ReplayOrder::set_prior_work_last(StreamRef stream) {
  if (!replayed_ || last_stream_ == stream.get()) return;
  // Recorded lazily, since most replays are on one stream.
  if (!recorded_) StreamRef(last_stream_).record(last_);
  recorded_ = true;
  stream.wait(last_.ref());
}

void ReplayOrder::wait_for_replays(StreamRef stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!replayed_ || last_stream_ == stream.get() || is_capturing(stream)) return;
  // A separate event: the next replay must also wait for the work that the other stream gets until then.
  Event so_far;
  if (!recorded_) StreamRef(last_stream_).record(so_far);
  stream.wait(recorded_ ? last_.ref() : so_far.ref());
}

void ReplayOrder::before_capture(cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!replayed_ || recorded_ || last_stream_ != stream) return;
  StreamRef(stream).record(last_);
  recorded_ = true;
}

void ReplayOrder::forget(cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (last_stream_ == stream) replayed_ = false;
}

void ReplayOrder::replay(GraphMemory& graph, StreamRef stream, const std::function<void()>& launch) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& contents : graph.read) contents->check_readable("replaying a graph that uses");
  set_prior_work_last(stream);
  launch();
  replayed_ = true;
  recorded_ = false;
  last_stream_ = stream;
  for (const auto& each : graph.overwrites) {
    if (auto contents = each.lock()) contents->overwritten(graph.graph);
  }
  for (const auto& each : graph.tensors) {
    if (auto contents = each.lock()) contents->written();
  }
}

}  // namespace reprise
