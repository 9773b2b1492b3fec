// The work of a conditional node, which runs one of its bodies, once or repeatedly, depending on its condition.
#pragma once

#include <driver_types.h>

#include <vector>

#include "base/ref.h"
#include "graph/define/conditional_handle.h"

namespace reprise_runtime::graph {

class Graph;

// The bodies belong to the node. A copy of this object refers to the same ones; bodies cannot be cloned.
struct ConditionalWork {
  HeldCondition condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<Ref<Graph>> bodies;
  std::vector<cudaGraph_t> body_handles;  // as the node's parameters show them

  ConditionalWork();
  ConditionalWork(const ConditionalWork&);
  ConditionalWork(ConditionalWork&&) noexcept;
  ConditionalWork& operator=(ConditionalWork) noexcept;
  ~ConditionalWork();
};

// Adds a conditional node with empty bodies, and stores their handles in `parameters`.
[[nodiscard]] cudaError_t add_conditional_node(cudaGraphNode_t* out, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                               size_t count, cudaConditionalNodeParams& parameters);

// "IF", "WHILE", "SWITCH".
const char* name_of(cudaGraphConditionalNodeType type);

}  // namespace reprise_runtime::graph
