/* Executable graphs: instantiation, update, launch. */
#ifndef REPRISE_API_GRAPH_EXEC_H
#define REPRISE_API_GRAPH_EXEC_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                             unsigned long long flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                                      unsigned long long flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                                       cudaGraphInstantiateParams* instantiateParams);
REPRISE_API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long* flags);
REPRISE_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                         const struct cudaKernelNodeParams* pNodeParams);
REPRISE_API cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                         const struct cudaMemcpy3DParms* pNodeParams);
REPRISE_API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                 const void* symbol, const void* src, size_t count,
                                                                 size_t offset, enum cudaMemcpyKind kind);
REPRISE_API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                                   void* dst, const void* symbol, size_t count,
                                                                   size_t offset, enum cudaMemcpyKind kind);
REPRISE_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void* dst,
                                                           const void* src, size_t count, enum cudaMemcpyKind kind);
REPRISE_API cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                         const struct cudaMemsetParams* pNodeParams);
REPRISE_API cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                       const struct cudaHostNodeParams* pNodeParams);
REPRISE_API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                             cudaGraph_t childGraph);
REPRISE_API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                             cudaEvent_t event);
REPRISE_API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                           cudaEvent_t event);
REPRISE_API cudaError_t cudaGraphExecExternalSemaphoresSignalNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, const struct cudaExternalSemaphoreSignalNodeParams* nodeParams);
REPRISE_API cudaError_t cudaGraphExecExternalSemaphoresWaitNodeSetParams(
    cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, const struct cudaExternalSemaphoreWaitNodeParams* nodeParams);
REPRISE_API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                unsigned int isEnabled);
REPRISE_API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode,
                                                unsigned int* isEnabled);
REPRISE_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                            cudaGraphExecUpdateResultInfo* resultInfo);
REPRISE_API cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream);
REPRISE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream);
REPRISE_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec);
REPRISE_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                                   struct cudaGraphNodeParams* nodeParams);

REPRISE_END_C

#endif /* REPRISE_API_GRAPH_EXEC_H */
