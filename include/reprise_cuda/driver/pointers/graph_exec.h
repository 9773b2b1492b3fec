/* Types of pointers to calls by version: executable graphs. */
#ifndef REPRISE_DRIVER_POINTERS_GRAPH_EXEC_H
#define REPRISE_DRIVER_POINTERS_GRAPH_EXEC_H

#include <cuda.h>

typedef CUresult (*PFN_cuGraphExecBatchMemOpNodeSetParams_v11070)(CUgraphExec, CUgraphNode,
                                                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
typedef CUresult (*PFN_cuGraphInstantiateWithFlags_v11040)(CUgraphExec*, CUgraph, unsigned long long);
typedef CUresult (*PFN_cuGraphInstantiateWithParams_v12000_ptsz)(CUgraphExec*, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS*);
typedef CUresult (*PFN_cuGraphExecGetFlags_v12000)(CUgraphExec, cuuint64_t*);
typedef CUresult (*PFN_cuGraphExecKernelNodeSetParams_v10010)(CUgraphExec, CUgraphNode,
                                                              const CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExecKernelNodeSetParams_v12000)(CUgraphExec, CUgraphNode,
                                                              const CUDA_KERNEL_NODE_PARAMS_v2*);
typedef CUresult (*PFN_cuGraphExecMemcpyNodeSetParams_v10020)(CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D_v2*,
                                                              CUcontext);
typedef CUresult (*PFN_cuGraphExecMemsetNodeSetParams_v10020)(CUgraphExec, CUgraphNode,
                                                              const CUDA_MEMSET_NODE_PARAMS_v1*, CUcontext);
typedef CUresult (*PFN_cuGraphExecHostNodeSetParams_v10020)(CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExecChildGraphNodeSetParams_v11010)(CUgraphExec, CUgraphNode, CUgraph);
typedef CUresult (*PFN_cuGraphExecEventRecordNodeSetEvent_v11010)(CUgraphExec, CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphExecEventWaitNodeSetEvent_v11010)(CUgraphExec, CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphUpload_v11010_ptsz)(CUgraphExec, CUstream);
typedef CUresult (*PFN_cuGraphLaunch_v10000_ptsz)(CUgraphExec, CUstream);
typedef CUresult (*PFN_cuGraphExecDestroy_v10000)(CUgraphExec);
typedef CUresult (*PFN_cuGraphExecUpdate_v10020)(CUgraphExec, CUgraph, CUgraphNode*, CUgraphExecUpdateResult*);
typedef CUresult (*PFN_cuGraphExecUpdate_v12000)(CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo*);
typedef CUresult (*PFN_cuGraphExecNodeSetParams_v12020)(CUgraphExec, CUgraphNode, CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphInstantiateWithParams_v12000)(CUgraphExec*, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS*);
typedef CUresult (*PFN_cuGraphUpload_v11010)(CUgraphExec, CUstream);
typedef CUresult (*PFN_cuGraphLaunch_v10000)(CUgraphExec, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_GRAPH_EXEC_H */
