// Refused calls: values in streams.
#include "driver/unsupported/unsupported.h"

#define WHY "waiting for and writing values in streams is not supported yet"

extern "C" {

UNSUPPORTED(cuGraphAddBatchMemOpNode,
            (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies,
             const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams),
            (phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
UNSUPPORTED(cuGraphBatchMemOpNodeGetParams, (CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out),
            (hNode, nodeParams_out))
UNSUPPORTED(cuGraphBatchMemOpNodeSetParams, (CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams),
            (hNode, nodeParams))
UNSUPPORTED(cuGraphExecBatchMemOpNodeSetParams,
            (CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams),
            (hGraphExec, hNode, nodeParams))
UNSUPPORTED_PTSZ(cuStreamWaitValue32, (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
                 (stream, addr, value, flags))
UNSUPPORTED_PTSZ(cuStreamWaitValue64, (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
                 (stream, addr, value, flags))
UNSUPPORTED_PTSZ(cuStreamWriteValue32, (CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags),
                 (stream, addr, value, flags))
UNSUPPORTED_PTSZ(cuStreamWriteValue64, (CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags),
                 (stream, addr, value, flags))
UNSUPPORTED_PTSZ(cuStreamBatchMemOp,
                 (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray, unsigned int flags),
                 (stream, count, paramArray, flags))
}
