#include "graph/define/any_node.h"

#include "graph/define/access.h"
#include "graph/define/clone.h"
#include "graph/define/node_params.h"

namespace reprise_runtime::graph {

using diagnose::refuse;

cudaError_t add_any_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                         const cudaGraphEdgeData* data, size_t count, cudaGraphNodeParams* parameters) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "nodeParams is null");
  if (cudaError_t refused = check_unused_bytes(*parameters); refused != cudaSuccess) return refused;
  if (parameters->type == cudaGraphNodeTypeGraph) {
    return add_child_node(out, graph, dependencies, data, count, parameters->graph.graph,
                          parameters->graph.ownership == cudaGraphChildGraphOwnershipMove);
  }
  if (parameters->type == cudaGraphNodeTypeConditional) {
    return add_conditional_node(out, graph, dependencies, data, count, parameters->conditional);
  }
  if (parameters->type == cudaGraphNodeTypeMemAlloc) {
    cudaMemAllocNodeParams alloc = same_layout<cudaMemAllocNodeParams>(parameters->alloc);
    const cudaError_t added = add_alloc_node(out, graph, dependencies, data, count, alloc);
    parameters->alloc.dptr = alloc.dptr;
    return added;
  }
  if (parameters->type == cudaGraphNodeTypeMemFree) {
    return add_node(out, graph, dependencies, data, count, FreeWork::build(parameters->free.dptr));
  }
  return build_work(*parameters,
                    [&](auto work) { return add_node(out, graph, dependencies, data, count, std::move(work)); });
}

cudaError_t set_any_params(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "nodeParams is null");
  if (cudaError_t refused = check_unused_bytes(*parameters); refused != cudaSuccess) return refused;
  const cudaError_t same = with_node(node, [&](Graph&, Node& there) {
    return there.type() == parameters->type ? cudaSuccess : other_type(there, parameters->type);
  });
  if (same != cudaSuccess) return same;
  if (parameters->type == cudaGraphNodeTypeGraph) return replace_child(node, parameters->graph.graph);
  if (parameters->type == cudaGraphNodeTypeKernel) {
    return set_kernel_params(node, same_layout<cudaKernelNodeParams>(parameters->kernel));
  }
  return build_work(*parameters, [&](auto work) { return set_work(node, std::move(work)); });
}

}  // namespace reprise_runtime::graph
