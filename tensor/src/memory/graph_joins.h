// What comes before a stream's next work in the graph that is being captured.
#pragma once

#include <cuda_runtime_api.h>

#include <unordered_set>
#include <vector>

namespace reprise {

class GraphJoins {
 public:
  // Nothing is asked of the graph until cover() is called.
  explicit GraphJoins(cudaStream_t stream);

  unsigned long long capture() const { return capture_; }
  // Whether each of `nodes` comes before the stream's next work.
  bool cover(const std::vector<cudaGraphNode_t>& nodes);

 private:
  void walk();

  unsigned long long capture_ = 0;
  std::vector<cudaGraphNode_t> last_;
  bool walked_ = false;
  std::unordered_set<cudaGraphNode_t> before_;
};

// The last work captured on each of `streams`.
std::vector<cudaGraphNode_t> ends_of(const std::vector<cudaStream_t>& streams);

}  // namespace reprise
