#include "graph/define/conditional_rules.h"

#include <cstdio>

#include "diagnose/refuse.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

bool may_be_in_body(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional:
      return true;
    default:
      return false;
  }
}

cudaError_t refuse_node(ConditionalRules& rules, Node& node, cudaGraphInstantiateResult result, const char* what) {
  rules.result = result;
  rules.error_node = &node;
  return refuse(cudaErrorInvalidValue, "node %p, %s, in the body of a conditional node: %s",
                static_cast<void*>(node.as_user()), describe(node.type()), what);
}

bool has_device(cudaGraphNodeType type) { return type != cudaGraphNodeTypeEmpty && type != cudaGraphNodeTypeGraph; }

// `device` is that of the conditional node.
cudaError_t check_in_body(Node& node, int device, ConditionalRules& rules) {
  if (!may_be_in_body(node.type())) {
    return refuse_node(rules, node, cudaGraphInstantiateNodeOperationNotSupported,
                       "only kernel, memcpy, memset, empty, child graph and conditional nodes are allowed there");
  }
  if (has_device(node.type()) && node.device() != device) {
    char words[96];
    std::snprintf(words, sizeof words, "it is on device %d; it must be on device %d like that node", node.device(),
                  device);
    return refuse_node(rules, node, cudaGraphInstantiateMultipleDevicesNotSupported, words);
  }
  const MemcpyWork* copy = std::get_if<MemcpyWork>(&node.work);
  if (copy && (copy->op.from_pageable() || copy->op.to_pageable())) {
    // NVIDIA's runtime returns this result: the host counts as another device.
    return refuse_node(rules, node, cudaGraphInstantiateMultipleDevicesNotSupported,
                       "it must not copy from or to pageable host memory; use cudaMallocHost or cudaHostRegister");
  }
  return cudaSuccess;
}

// The device of the conditional node around a body; `none` outside of bodies.
constexpr int none = -1;

cudaError_t check(Graph& graph, int body_of, ConditionalRules& rules) {
  for (const HeldCondition& condition : graph.conditions()) {
    if (condition->taken()) continue;
    rules.result = cudaGraphInstantiateConditionalHandleUnused;
    return refuse(cudaErrorInvalidValue, "condition 0x%llx has no node; add a conditional node that names it",
                  static_cast<unsigned long long>(condition->as_user()));
  }
  for (Node* node = graph.first(); node; node = node->next) {
    if (body_of != none) {
      if (cudaError_t refused = check_in_body(*node, body_of, rules); refused != cudaSuccess) return refused;
    }
    const bool conditional = node->type() == cudaGraphNodeTypeConditional;
    rules.any |= conditional;
    cudaError_t status = cudaSuccess;
    for_each_inside(node->work, [&](Graph& inside) {
      if (status != cudaSuccess) return;
      MutexLock lock(inside.mutex());
      status = check(inside, conditional ? node->device() : body_of, rules);
    });
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t check_conditionals(Graph& graph, ConditionalRules& rules) { return check(graph, none, rules); }

}  // namespace reprise_runtime::graph
