/* Executable graphs of the driver API. */
#ifndef REPRISE_DRIVER_GRAPH_EXEC_H
#define REPRISE_DRIVER_GRAPH_EXEC_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long flags);
REPRISE_API CUresult cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph,
                                                  CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams);
REPRISE_API CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t* flags);
REPRISE_API CUresult cuGraphExecKernelNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                    const CUDA_KERNEL_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                    const CUDA_MEMCPY3D* copyParams, CUcontext ctx);
REPRISE_API CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                    const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx);
REPRISE_API CUresult cuGraphExecHostNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                  const CUDA_HOST_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph);
REPRISE_API CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event);
REPRISE_API CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event);
REPRISE_API CUresult cuGraphUpload(CUgraphExec hGraphExec, CUstream hStream);
REPRISE_API CUresult cuGraphLaunch(CUgraphExec hGraphExec, CUstream hStream);
REPRISE_API CUresult cuGraphExecDestroy(CUgraphExec hGraphExec);
REPRISE_API CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo* resultInfo);
REPRISE_API CUresult cuGraphExecNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams* nodeParams);

REPRISE_END_C

#endif /* REPRISE_DRIVER_GRAPH_EXEC_H */
