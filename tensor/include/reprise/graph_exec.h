// RAII wrappers for executable CUDA graphs. They need only the CUDA API.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/error.h>
#include <reprise/graph.h>
#include <reprise/stream.h>

#include <utility>

namespace reprise {

// The result of an update: whether it succeeded, and if not, why and at which node.
struct GraphUpdate {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  cudaGraphNode_t node = nullptr;

  explicit operator bool() const { return result == cudaGraphExecUpdateSuccess; }
};

// An executable graph that is not owned.
class GraphExecRef {
 public:
  GraphExecRef(cudaGraphExec_t exec) : exec_(exec) {}

  cudaGraphExec_t get() const { return exec_; }
  operator cudaGraphExec_t() const { return exec_; }

  // Launches of one executable graph run one after the other, even on different streams.
  void launch(StreamRef stream) const { check_cuda(cudaGraphLaunch(exec_, stream), "launching a graph"); }
  // Does the one-time work of the first launch in advance.
  void upload(StreamRef stream) const { check_cuda(cudaGraphUpload(exec_, stream), "uploading a graph"); }
  // Applies the node parameters of `graph`, which must have the same topology. A failed update changes nothing.
  GraphUpdate update(GraphRef graph) const {
    cudaGraphExecUpdateResultInfo info = {};
    cudaError_t code = cudaGraphExecUpdate(exec_, graph, &info);
    if (code != cudaSuccess && code != cudaErrorGraphExecUpdateFailure)
      check_cuda(code, "updating an executable graph");
    if (code != cudaSuccess) cudaGetLastError();
    return {info.result, info.errorNode};
  }

 private:
  cudaGraphExec_t exec_;
};

// Owns an executable graph.
class GraphExec {
 public:
  explicit GraphExec(GraphRef graph, unsigned long long flags = 0) {
    check_cuda(cudaGraphInstantiateWithFlags(&exec_, graph, flags), "instantiating a graph");
  }
  GraphExec(GraphExec&& other) noexcept : exec_(std::exchange(other.exec_, nullptr)) {}
  GraphExec& operator=(GraphExec&& other) noexcept {
    std::swap(exec_, other.exec_);
    return *this;
  }
  // Launches in progress still complete.
  ~GraphExec() {
    if (exec_) cudaGraphExecDestroy(exec_);
  }

  GraphExecRef ref() const { return exec_; }
  operator GraphExecRef() const { return exec_; }
  cudaGraphExec_t get() const { return exec_; }
  void launch(StreamRef stream) const { ref().launch(stream); }
  void upload(StreamRef stream) const { ref().upload(stream); }
  GraphUpdate update(GraphRef graph) const { return ref().update(graph); }

 private:
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace reprise
