// CUDAGraph with Paddle's constructor and method names.
#pragma once

#include <reprise/cuda_graph.h>
#include <reprise/paddle/place.h>

#include <string>

namespace reprise::paddle {

class CUDAGraph : public reprise::CUDAGraph {
 public:
  CUDAGraph() = default;
  // `mode` applies to every capture that does not name another: "global", "thread_local" or "relaxed".
  explicit CUDAGraph(CUDAPlace place, const std::string& mode = "thread_local");

  void capture_start() { capture_begin(); }
  // Writes graph_<id>.dot into `directory`.
  void print_to_dot_files(const std::string& directory) const;
};

}  // namespace reprise::paddle
