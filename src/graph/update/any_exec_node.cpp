#include "graph/update/any_exec_node.h"

#include "graph/define/node_params.h"
#include "graph/update/update_graph.h"
#include "graph/update/update_node.h"

namespace reprise_runtime::graph {
namespace {

bool cannot_be_set(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeConditional || type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree;
}

}  // namespace

cudaError_t set_any_exec_params(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  if (!parameters) return no_parameters(node);
  if (cudaError_t refused = check_unused_bytes(*parameters); refused != cudaSuccess) return refuse_node(node, refused);
  if (cannot_be_set(parameters->type)) {
    return with_exec_node(exec, node, [&](ExecEditor&, ExecIndex&, ExecIndex::Entry& entry) {
      if (entry.type != parameters->type) return other_type_in_exec(node, entry.type, parameters->type);
      return diagnose::refuse(cudaErrorNotSupported, "node %p, %s: its parameters cannot change in an executable graph",
                              static_cast<void*>(node), describe(parameters->type));
    });
  }
  if (!has_node_type(*parameters)) return refuse_node(node, no_such_type(parameters->type));
  if (parameters->type == cudaGraphNodeTypeGraph) return set_exec_child(exec, node, parameters->graph.graph);
  if (parameters->type == cudaGraphNodeTypeKernel) {
    return set_exec_kernel(exec, node, same_layout<cudaKernelNodeParams>(parameters->kernel));
  }
  return build_work(*parameters, [&](const auto& work) { return set_exec_work(exec, node, work); });
}

}  // namespace reprise_runtime::graph
