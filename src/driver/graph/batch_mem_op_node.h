// Batch memory operation nodes, which the runtime API does not have: the functions behind their own calls and behind
// those that take CUgraphNodeParams.
#pragma once

#include <cuda.h>
#include <driver_types.h>

namespace reprise_runtime::driver {

[[nodiscard]] cudaError_t add_batch_mem_op_node(CUgraphNode* out, CUgraph graph, const CUgraphNode* dependencies,
                                                const CUgraphEdgeData* edges, size_t count,
                                                const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters);
[[nodiscard]] cudaError_t set_batch_mem_op_node(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters);
[[nodiscard]] cudaError_t set_batch_mem_op_node(CUgraphExec exec, CUgraphNode node,
                                                const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters);

}  // namespace reprise_runtime::driver
