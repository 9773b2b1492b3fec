// A finished capture: the graph and everything that it keeps alive.
#pragma once

#include <reprise/cuda_graph.h>

#include <optional>

#include "capture/capture_context.h"

namespace reprise {

class CapturedGraph {
 public:
  CapturedGraph(Graph graph, CaptureResult result, std::shared_ptr<Pool> pool, std::optional<Stream> stream);
  ~CapturedGraph();

  void instantiate();
  bool is_instantiated() const { return exec_.has_value(); }
  void replay(StreamRef stream);
  // Makes its results readable although replay() was not called, because the user launches the graph directly.
  void mark_results_computed();
  // Adds the graph as a child node to the capture of `context`, on `stream`.
  void add_to_capture(CaptureContext& context, StreamRef stream, const std::shared_ptr<CapturedGraph>& self);

  const Graph& graph() const { return graph_; }
  const std::optional<GraphExec>& exec() const { return exec_; }
  const std::shared_ptr<Pool>& pool() const { return pool_; }
  std::uint64_t id() const { return result_.memory.graph; }
  std::uint64_t replays() const { return replays_; }
  GraphStatistics statistics;

 private:
  // Throws if a parameter that the graph uses has other memory now.
  void check_inputs_in_use();
  void prepare_generators(StreamRef stream);

  std::optional<Stream> stream_;  // the captured stream, if the graph owns it; destroyed last
  std::shared_ptr<Pool> pool_;
  CaptureResult result_;
  Graph graph_;
  std::optional<GraphExec> exec_;
  std::uint64_t replays_ = 0;
  std::uint64_t replacements_seen_ = Memory::replacements();
};

}  // namespace reprise
