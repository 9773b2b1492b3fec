#include "memory/graph_joins.h"

#include <reprise/error.h>

namespace reprise {
namespace {

// The nodes that the next work of the stream would depend on; `capture` is 0 if it is not capturing.
std::vector<cudaGraphNode_t> last_nodes(cudaStream_t stream, unsigned long long* capture) {
  *capture = 0;
  if (!stream) return {};
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* nodes = nullptr;
  std::size_t count = 0;
  const cudaGraphEdgeData* edges = nullptr;
  cudaError_t code = cudaStreamGetCaptureInfo(stream, &status, capture, nullptr, &nodes, &edges, &count);
  // Called from destructors: a destroyed stream has captured nothing.
  if (code != cudaSuccess) cudaGetLastError();
  if (code != cudaSuccess || status != cudaStreamCaptureStatusActive) *capture = 0;
  return *capture == 0 ? std::vector<cudaGraphNode_t>() : std::vector<cudaGraphNode_t>(nodes, nodes + count);
}

}  // namespace

GraphJoins::GraphJoins(cudaStream_t stream) { last_ = last_nodes(stream, &capture_); }

bool GraphJoins::cover(const std::vector<cudaGraphNode_t>& nodes) {
  if (!walked_) walk();
  for (cudaGraphNode_t node : nodes) {
    if (before_.count(node) == 0) return false;
  }
  return true;
}

void GraphJoins::walk() {
  walked_ = true;
  std::vector<cudaGraphNode_t> pending = last_;
  while (!pending.empty()) {
    cudaGraphNode_t node = pending.back();
    pending.pop_back();
    if (!before_.insert(node).second) continue;
    std::size_t count = 0;
    check_cuda(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count), "asking what a node depends on");
    std::vector<cudaGraphNode_t> from(count);
    std::vector<cudaGraphEdgeData> edges(count);
    if (count != 0) {
      check_cuda(cudaGraphNodeGetDependencies(node, from.data(), edges.data(), &count),
                 "asking what a node depends on");
    }
    pending.insert(pending.end(), from.begin(), from.end());
  }
}

std::vector<cudaGraphNode_t> ends_of(const std::vector<cudaStream_t>& streams) {
  std::vector<cudaGraphNode_t> ends;
  for (cudaStream_t stream : streams) {
    unsigned long long capture;
    std::vector<cudaGraphNode_t> last = last_nodes(stream, &capture);
    ends.insert(ends.end(), last.begin(), last.end());
  }
  return ends;
}

}  // namespace reprise
