// A sequence of graphs in one pool with eager regions between them, replayed as one: for work that can be captured only
// in part. Paddle calls the graphs segments.
//
//   SegmentedGraph graph;
//   graph.capture([&] {
//     scores = model(x);
//     eagerly([&] { chosen.copy_(choose_on_the_host(scores)); });   // may read values, synchronize, call libraries
//     loss = rest(chosen);
//   });
//   graph.replay();
//
// A region runs in each replay and not during the capture, when its inputs have not been computed. It must write its
// results into existing tensors.
#pragma once

#include <reprise/cuda_graph.h>

#include <functional>
#include <vector>

namespace reprise {

class SegmentedGraph {
 public:
  // Warms up and handles failures like CUDAGraph::capture.
  void capture(const std::function<void()>& work, const CaptureOptions& options = {});
  // Replays on the current stream; returns after submitting the last segment.
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

// During the capture of a SegmentedGraph, ends the current segment, schedules `region` to run there in each replay, and
// begins the next segment. Otherwise calls `region` immediately.
void eagerly(std::function<void()> region);

}  // namespace reprise
