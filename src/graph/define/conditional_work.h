// What a conditional node does: it runs one of its bodies, or one again and again, by the value of its condition.
#pragma once

#include <driver_types.h>

#include <vector>

#include "base/ref.h"
#include "graph/define/conditional_handle.h"

namespace reprise_runtime::graph {

class Graph;

// The bodies belong to the node. A copy names the same ones; there is no way to clone them.
struct ConditionalWork {
  HeldCondition condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<Ref<Graph>> bodies;
  std::vector<cudaGraph_t> told;  // their handles, as the user has them

  ConditionalWork();
  ConditionalWork(const ConditionalWork&);
  ConditionalWork(ConditionalWork&&) noexcept;
  ConditionalWork& operator=(ConditionalWork) noexcept;
  ~ConditionalWork();
};

// Adds a conditional node with empty bodies, which `parameters` then name.
[[nodiscard]] cudaError_t add_conditional_node(cudaGraphNode_t* out, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                               size_t count, cudaConditionalNodeParams& parameters);

// "IF", "WHILE", "SWITCH".
const char* name_of(cudaGraphConditionalNodeType type);

}  // namespace reprise_runtime::graph
