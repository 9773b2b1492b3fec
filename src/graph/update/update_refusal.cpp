#include "graph/update/update_refusal.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

cudaError_t refuse_node(cudaGraphNode_t node, cudaError_t refused) {
  return diagnose::refuse_of(refused, "node %p", static_cast<void*>(node));
}

cudaError_t no_parameters(cudaGraphNode_t node) {
  return refuse_node(node, refuse(cudaErrorInvalidValue, "the parameters are null"));
}

cudaError_t not_in_exec(cudaGraphNode_t node) {
  return refuse(cudaErrorInvalidValue, "node %p is not one of the graph that was instantiated, or no longer there",
                static_cast<void*>(node));
}

cudaError_t other_type_in_exec(cudaGraphNode_t node, cudaGraphNodeType type, cudaGraphNodeType wanted,
                               cudaError_t code) {
  return refuse(code, "node %p is %s, not %s", static_cast<void*>(node), describe(type), describe(wanted));
}

cudaError_t cannot_change(cudaGraphNode_t node, cudaGraphNodeType type, const Obstacle& obstacle, cudaError_t code) {
  return refuse(code, "node %p, %s: the %s cannot change in an executable graph", static_cast<void*>(node),
                describe(type), obstacle.field);
}

}  // namespace reprise_runtime::graph
