// The nodes that precede the next work of a stream in the graph being captured.
#pragma once

#include <cuda_runtime_api.h>

#include <unordered_set>
#include <vector>

namespace reprise {

class GraphJoins {
 public:
  // The graph is traversed lazily, by cover().
  explicit GraphJoins(cudaStream_t stream);

  unsigned long long capture() const { return capture_; }
  // Whether all `nodes` precede the next work of the stream.
  bool cover(const std::vector<cudaGraphNode_t>& nodes);

 private:
  void walk();

  unsigned long long capture_ = 0;
  std::vector<cudaGraphNode_t> last_;
  bool walked_ = false;
  std::unordered_set<cudaGraphNode_t> before_;
};

// The last nodes captured on each of `streams`.
std::vector<cudaGraphNode_t> ends_of(const std::vector<cudaStream_t>& streams);

}  // namespace reprise
