// Nodes that allocate and free graph memory.
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
  // As the user is told, with the address once the node is added. The access descriptors are the node's own.
  cudaMemAllocNodeParams told = {};
  std::shared_ptr<const std::vector<cudaMemAccessDesc>> access;

  // Given when the node is added.
  Ref<memory::GraphAllocation> allocation;
  uint32_t number = 0;  // among the memory nodes of the graph

  // Checks everything but the graph.
  static Result<AllocWork> build(const cudaMemAllocNodeParams& parameters);
  // For a captured request.
  static AllocWork of(size_t bytes, int device);
};

struct FreeWork {
  void* address = nullptr;

  // Found when the node is added.
  Ref<memory::GraphAllocation> allocation;
  uint32_t number = 0;

  static Result<FreeWork> build(void* address);
};

// Stores the address in the parameters.
[[nodiscard]] cudaError_t add_alloc_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                                         const cudaGraphEdgeData* data, size_t count,
                                         cudaMemAllocNodeParams& parameters);

// What memory nodes forbid of the graph that they are in: "destroying a node", ...
[[nodiscard]] cudaError_t refuse_with_memory(const Graph& graph, const char* what);

}  // namespace reprise_runtime::graph
