// RAII wrappers for CUDA graphs. They need only the CUDA API.
#pragma once

#include <cuda_runtime_api.h>
#include <reprise/error.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace reprise {

// A graph that is not owned.
class GraphRef {
 public:
  GraphRef(cudaGraph_t graph) : graph_(graph) {}

  cudaGraph_t get() const { return graph_; }
  operator cudaGraph_t() const { return graph_; }

  std::size_t node_count() const {
    std::size_t count = 0;
    check_cuda(cudaGraphGetNodes(graph_, nullptr, &count), "counting the nodes of a graph");
    return count;
  }
  std::vector<cudaGraphNode_t> nodes() const {
    std::vector<cudaGraphNode_t> nodes(node_count());
    std::size_t count = nodes.size();
    if (count != 0) check_cuda(cudaGraphGetNodes(graph_, nodes.data(), &count), "listing the nodes of a graph");
    return nodes;
  }

  // Each adds a node that runs after `dependencies` and returns it.
  cudaGraphNode_t add_empty(const std::vector<cudaGraphNode_t>& dependencies = {}) const {
    cudaGraphNode_t node;
    check_cuda(cudaGraphAddEmptyNode(&node, graph_, dependencies.data(), dependencies.size()),
               "adding an empty node to a graph");
    return node;
  }
  cudaGraphNode_t add_kernel(const cudaKernelNodeParams& parameters,
                             const std::vector<cudaGraphNode_t>& dependencies = {}) const {
    cudaGraphNode_t node;
    check_cuda(cudaGraphAddKernelNode(&node, graph_, dependencies.data(), dependencies.size(), &parameters),
               "adding a kernel node to a graph");
    return node;
  }
  cudaGraphNode_t add_memset(const cudaMemsetParams& parameters,
                             const std::vector<cudaGraphNode_t>& dependencies = {}) const {
    cudaGraphNode_t node;
    check_cuda(cudaGraphAddMemsetNode(&node, graph_, dependencies.data(), dependencies.size(), &parameters),
               "adding a memset node to a graph");
    return node;
  }
  cudaGraphNode_t add_copy(void* to, const void* from, std::size_t bytes,
                           const std::vector<cudaGraphNode_t>& dependencies = {}) const {
    cudaGraphNode_t node;
    check_cuda(cudaGraphAddMemcpyNode1D(&node, graph_, dependencies.data(), dependencies.size(), to, from, bytes,
                                        cudaMemcpyDefault),
               "adding a memcpy node to a graph");
    return node;
  }
  cudaGraphNode_t add_host_function(cudaHostFn_t function, void* data,
                                    const std::vector<cudaGraphNode_t>& dependencies = {}) const {
    cudaHostNodeParams parameters = {};
    parameters.fn = function;
    parameters.userData = data;
    cudaGraphNode_t node;
    check_cuda(cudaGraphAddHostNode(&node, graph_, dependencies.data(), dependencies.size(), &parameters),
               "adding a host node to a graph");
    return node;
  }
  // Adds a copy of `child` as one node.
  cudaGraphNode_t add_child(GraphRef child, const std::vector<cudaGraphNode_t>& dependencies = {}) const {
    cudaGraphNode_t node;
    check_cuda(cudaGraphAddChildGraphNode(&node, graph_, dependencies.data(), dependencies.size(), child.graph_),
               "adding a child graph node to a graph");
    return node;
  }

  // Writes the graph as a Graphviz file; `verbose` includes all node parameters.
  void print_dot(const std::string& path, bool verbose = true) const {
    unsigned flags = verbose ? cudaGraphDebugDotFlagsVerbose : 0u;
    check_cuda(cudaGraphDebugDotPrint(graph_, path.c_str(), flags),
               ("writing the dot file of a graph to " + path).c_str());
  }

 private:
  cudaGraph_t graph_;
};

// Owns a graph.
class Graph {
 public:
  Graph() { check_cuda(cudaGraphCreate(&graph_, 0), "creating a graph"); }
  // Takes ownership of `graph`, for example of one that cudaStreamEndCapture returned.
  static Graph adopt(cudaGraph_t graph) { return Graph(graph); }
  Graph clone() const {
    cudaGraph_t copy;
    check_cuda(cudaGraphClone(&copy, graph_), "cloning a graph");
    return Graph(copy);
  }

  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(graph_, other.graph_);
    return *this;
  }
  ~Graph() {
    if (graph_) cudaGraphDestroy(graph_);
  }

  GraphRef ref() const { return graph_; }
  operator GraphRef() const { return graph_; }
  cudaGraph_t get() const { return graph_; }

 private:
  explicit Graph(cudaGraph_t graph) : graph_(graph) {}

  cudaGraph_t graph_ = nullptr;
};

}  // namespace reprise
