#include "graph/conditional_rules.h"

#include "diagnose/refuse.h"
#include "graph/node.h"

namespace reprise::graph {
namespace {

using diagnose::refuse;

bool may_be_in_body(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional: return true;
    default: return false;
  }
}

cudaError_t stuck(ConditionalRules& rules, Node& node, cudaGraphInstantiateResult result, const char* what) {
  rules.result = result;
  rules.stuck = &node;
  return refuse(cudaErrorInvalidValue, "node %p, %s: %s cannot be in the body of a conditional node",
                static_cast<void*>(node.as_user()), describe(node.type()), what);
}

cudaError_t check_in_body(Node& node, ConditionalRules& rules) {
  if (!may_be_in_body(node.type())) {
    return stuck(rules, node, cudaGraphInstantiateNodeOperationNotSupported, "this type");
  }
  const MemcpyWork* copy = std::get_if<MemcpyWork>(&node.work);
  if (copy && (copy->op.from_pageable() || copy->op.to_pageable())) {
    // So NVIDIA's runtime calls it: the host counts as another device.
    return stuck(rules, node, cudaGraphInstantiateMultipleDevicesNotSupported, "a copy from or to ordinary host memory");
  }
  return cudaSuccess;
}

cudaError_t check(Graph& graph, bool in_body, ConditionalRules& rules) {
  for (const HeldCondition& condition : graph.conditions()) {
    if (condition->taken()) continue;
    rules.result = cudaGraphInstantiateConditionalHandleUnused;
    return refuse(cudaErrorInvalidValue, "condition 0x%llx has no node",
                  static_cast<unsigned long long>(condition->as_user()));
  }
  for (Node* node = graph.first(); node; node = node->next) {
    if (in_body) {
      if (cudaError_t refused = check_in_body(*node, rules); refused != cudaSuccess) return refused;
    }
    const bool conditional = node->type() == cudaGraphNodeTypeConditional;
    rules.any |= conditional;
    cudaError_t status = cudaSuccess;
    for_each_inside(node->work, [&](Graph& inside) {
      if (status != cudaSuccess) return;
      MutexLock lock(inside.mutex());
      status = check(inside, in_body || conditional, rules);
    });
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t check_conditionals(Graph& graph, ConditionalRules& rules) { return check(graph, false, rules); }

}  // namespace reprise::graph
