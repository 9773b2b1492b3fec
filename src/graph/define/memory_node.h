// The work of memory allocation and free nodes.
#pragma once

#include <driver_types.h>

#include <memory>
#include <vector>

#include "base/ref.h"
#include "base/status.h"
#include "memory/graph/graph_allocation.h"

namespace reprise_runtime::graph {

class Graph;

struct AllocWork {
  // As queries return them, with the address once the node is added. They point to `access`.
  cudaMemAllocNodeParams user_params = {};
  std::shared_ptr<const std::vector<cudaMemAccessDesc>> access;

  // Set when the node is added.
  Ref<memory::GraphAllocation> allocation;
  uint32_t number = 0;  // among the memory nodes of the graph

  // Checks everything that does not depend on the graph.
  static Result<AllocWork> build(const cudaMemAllocNodeParams& parameters);
  // For an allocation captured from a stream.
  static AllocWork of(size_t bytes, int device);
};

struct FreeWork {
  void* address = nullptr;

  // Set when the node is added.
  Ref<memory::GraphAllocation> allocation;
  uint32_t number = 0;

  static Result<FreeWork> build(void* address);
};

// Adds an allocation node and stores the address in the parameters.
[[nodiscard]] cudaError_t add_alloc_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                         const cudaGraphEdgeData* data, size_t count,
                                         cudaMemAllocNodeParams& parameters);

// Refuses something that memory nodes do not allow in their graph, such as "destroying a node".
[[nodiscard]] cudaError_t refuse_with_memory(const Graph& graph, const char* what);

}  // namespace reprise_runtime::graph
