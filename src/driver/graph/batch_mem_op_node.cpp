#include "driver/graph/batch_mem_op_node.h"

#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "driver/graph/node_parameters.h"
#include "graph/define/access.h"
#include "graph/update/update_node.h"

using namespace reprise_runtime;
using diagnose::refuse;

namespace reprise_runtime::driver {
namespace {

Result<op::BatchMemOp> build(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& from) {
  if (!from.ctx) return refuse(cudaErrorInvalidValue, "the context is null");
  if (cudaError_t refused = check_context(from.ctx); refused != cudaSuccess) return refused;
  return op::BatchMemOp::build(from.paramArray, from.count, from.flags);
}

}  // namespace

cudaError_t add_batch_mem_op_node(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies,
                                  const CUgraphEdgeData* edges, size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters) {
  return graph::add_node(out, graph, dependencies, as_runtime(edges), count, build(parameters));
}

cudaError_t set_batch_mem_op_node(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters) {
  return graph::set_work(node, build(parameters));
}

cudaError_t set_batch_mem_op_node(CUgraphExec exec, CUgraphNode node,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters) {
  return graph::set_exec_work(exec, node, build(parameters));
}

}  // namespace reprise_runtime::driver

namespace {

// Calls use(parameters) with the later version of the structure, which has the same members.
template <class Use>
cudaError_t with(const CUDA_BATCH_MEM_OP_NODE_PARAMS* given, Use&& use) {
  if (!given) return refuse(cudaErrorInvalidValue, "the parameters are null");
  return use(CUDA_BATCH_MEM_OP_NODE_PARAMS_v2{given->ctx, given->count, given->paramArray, given->flags});
}

// The array in the result is the node's.
cudaError_t get(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* out) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  return graph::with_work<op::BatchMemOp>(node, [&](graph::Node& found, op::BatchMemOp& work) {
    out->ctx = driver::Context::primary_of(found.device()).handle();
    out->count = static_cast<unsigned>(work.operations.size());
    out->paramArray = work.operations.data();
    out->flags = 0;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

CUresult cuGraphAddBatchMemOpNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                  size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return with(nodeParams, [&](const auto& given) {
          return driver::add_batch_mem_op_node(phGraphNode, hGraph, dependencies, nullptr, numDependencies, given);
        });
      },
      ARGUMENTS(phGraphNode, hGraph, dependencies, numDependencies, nodeParams));
}

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out) {
  return driver::entry_initialised([&] { return get(hNode, nodeParams_out); }, ARGUMENTS(hNode, nodeParams_out));
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] { return with(nodeParams, [&](const auto& given) { return driver::set_batch_mem_op_node(hNode, given); }); },
      ARGUMENTS(hNode, nodeParams));
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams) {
  return driver::entry_initialised(
      [&] {
        return with(nodeParams,
                    [&](const auto& given) { return driver::set_batch_mem_op_node(hGraphExec, hNode, given); });
      },
      ARGUMENTS(hGraphExec, hNode, nodeParams));
}
}
