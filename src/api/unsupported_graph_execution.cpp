// Changing executable graphs.
#include "api/unsupported.h"

#define WHY "executable graphs cannot be changed yet"

extern "C" {

UNSUPPORTED(cudaGraphExecKernelNodeSetParams, (cudaGraphExec_t, cudaGraphNode_t, const cudaKernelNodeParams*))
UNSUPPORTED(cudaGraphExecMemcpyNodeSetParams, (cudaGraphExec_t, cudaGraphNode_t, const cudaMemcpy3DParms*))
UNSUPPORTED(cudaGraphExecMemcpyNodeSetParamsToSymbol,
            (cudaGraphExec_t, cudaGraphNode_t, const void*, const void*, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
            (cudaGraphExec_t, cudaGraphNode_t, void*, const void*, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphExecMemcpyNodeSetParams1D,
            (cudaGraphExec_t, cudaGraphNode_t, void*, const void*, size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphExecMemsetNodeSetParams, (cudaGraphExec_t, cudaGraphNode_t, const cudaMemsetParams*))
UNSUPPORTED(cudaGraphExecHostNodeSetParams, (cudaGraphExec_t, cudaGraphNode_t, const cudaHostNodeParams*))
UNSUPPORTED(cudaGraphExecChildGraphNodeSetParams, (cudaGraphExec_t, cudaGraphNode_t, cudaGraph_t))
UNSUPPORTED(cudaGraphExecEventRecordNodeSetEvent, (cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t))
UNSUPPORTED(cudaGraphExecEventWaitNodeSetEvent, (cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t))
UNSUPPORTED(cudaGraphExecExternalSemaphoresSignalNodeSetParams,
            (cudaGraphExec_t, cudaGraphNode_t, const cudaExternalSemaphoreSignalNodeParams*))
UNSUPPORTED(cudaGraphExecExternalSemaphoresWaitNodeSetParams,
            (cudaGraphExec_t, cudaGraphNode_t, const cudaExternalSemaphoreWaitNodeParams*))
UNSUPPORTED(cudaGraphNodeSetEnabled, (cudaGraphExec_t, cudaGraphNode_t, unsigned int))
UNSUPPORTED(cudaGraphNodeGetEnabled, (cudaGraphExec_t, cudaGraphNode_t, unsigned int*))
UNSUPPORTED(cudaGraphExecUpdate, (cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo*))
UNSUPPORTED(cudaGraphExecNodeSetParams, (cudaGraphExec_t, cudaGraphNode_t, cudaGraphNodeParams*))

}
