// Work of which some regions cannot be captured: graphs in one pool, with eager work between them, replayed as one.
// Paddle calls the parts segments.
//
//   SegmentedGraph graph;
//   graph.capture([&] {
//     scores = model(x);
//     eagerly([&] { chosen.copy_(choose_on_the_host(scores)); });   // may read values, wait, call other libraries
//     loss = rest(chosen);
//   });
//   graph.replay();
//
// A region runs in each replay, in its place, and not during the capture, when nothing it could read has been computed.
// So what it hands to the rest it writes into tensors that are there before.
#pragma once

#include <reprise/cuda_graph.h>

#include <functional>
#include <vector>

namespace reprise {

class SegmentedGraph {
 public:
  // Warm-up and failures are as with CUDAGraph::capture.
  void capture(const std::function<void()>& work, const CaptureOptions& options = {});
  // On the current stream; returns when the last segment is submitted.
  void replay();
  void reset();

  std::size_t segments() const { return segments_.size(); }
  CUDAGraph& segment(std::size_t number) { return segments_.at(number).graph; }
  PoolHandle pool() const { return pool_; }

 private:
  friend void eagerly(std::function<void()> region);
  struct Segment {
    CUDAGraph graph;
    std::function<void()> after;
  };
  void begin();
  void leave(std::function<void()> region);

  std::vector<Segment> segments_;
  PoolHandle pool_;
  CaptureMode mode_ = CaptureMode::thread_local_;
};

// Within the capture of a SegmentedGraph: ends a segment, to run `region` there in each replay, and begins the next.
// Elsewhere it is called at once.
void eagerly(std::function<void()> region);

}  // namespace reprise
