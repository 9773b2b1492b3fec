// Graphs and their nodes.
#include "api/unsupported.h"

#define WHY "graphs are not there yet"

extern "C" {

UNSUPPORTED(cudaGraphCreate, (cudaGraph_t*, unsigned int))
UNSUPPORTED(cudaGraphClone, (cudaGraph_t*, cudaGraph_t))
UNSUPPORTED(cudaGraphNodeFindInClone, (cudaGraphNode_t*, cudaGraphNode_t, cudaGraph_t))
UNSUPPORTED(cudaGraphNodeGetType, (cudaGraphNode_t, cudaGraphNodeType*))
UNSUPPORTED(cudaGraphGetNodes, (cudaGraph_t, cudaGraphNode_t*, size_t*))
UNSUPPORTED(cudaGraphGetRootNodes, (cudaGraph_t, cudaGraphNode_t*, size_t*))
UNSUPPORTED(cudaGraphGetEdges, (cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*))
UNSUPPORTED(cudaGraphNodeGetDependencies, (cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*))
UNSUPPORTED(cudaGraphNodeGetDependentNodes, (cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*))
UNSUPPORTED(cudaGraphAddDependencies,
            (cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t))
UNSUPPORTED(cudaGraphRemoveDependencies,
            (cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t))
UNSUPPORTED(cudaGraphDestroyNode, (cudaGraphNode_t))
UNSUPPORTED(cudaGraphDestroy, (cudaGraph_t))
UNSUPPORTED(cudaGraphDebugDotPrint, (cudaGraph_t, const char*, unsigned int))
UNSUPPORTED(cudaGraphAddKernelNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const cudaKernelNodeParams*))
UNSUPPORTED(cudaGraphKernelNodeGetParams, (cudaGraphNode_t, cudaKernelNodeParams*))
UNSUPPORTED(cudaGraphKernelNodeSetParams, (cudaGraphNode_t, const cudaKernelNodeParams*))
UNSUPPORTED(cudaGraphKernelNodeCopyAttributes, (cudaGraphNode_t, cudaGraphNode_t))
UNSUPPORTED(cudaGraphKernelNodeGetAttribute,
            (cudaGraphNode_t, cudaLaunchAttributeID, cudaLaunchAttributeValue*))
UNSUPPORTED(cudaGraphKernelNodeSetAttribute,
            (cudaGraphNode_t, cudaLaunchAttributeID, const cudaLaunchAttributeValue*))
UNSUPPORTED(cudaGraphAddMemcpyNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const cudaMemcpy3DParms*))
UNSUPPORTED(cudaGraphAddMemcpyNodeToSymbol,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const void*, const void*, size_t,
             size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphAddMemcpyNodeFromSymbol,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*, const void*, size_t,
             size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphAddMemcpyNode1D,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*, const void*, size_t,
             cudaMemcpyKind))
UNSUPPORTED(cudaGraphMemcpyNodeGetParams, (cudaGraphNode_t, cudaMemcpy3DParms*))
UNSUPPORTED(cudaGraphMemcpyNodeSetParams, (cudaGraphNode_t, const cudaMemcpy3DParms*))
UNSUPPORTED(cudaGraphMemcpyNodeSetParamsToSymbol,
            (cudaGraphNode_t, const void*, const void*, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphMemcpyNodeSetParamsFromSymbol,
            (cudaGraphNode_t, void*, const void*, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphMemcpyNodeSetParams1D, (cudaGraphNode_t, void*, const void*, size_t, cudaMemcpyKind))
UNSUPPORTED(cudaGraphAddMemsetNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const cudaMemsetParams*))
UNSUPPORTED(cudaGraphMemsetNodeGetParams, (cudaGraphNode_t, cudaMemsetParams*))
UNSUPPORTED(cudaGraphMemsetNodeSetParams, (cudaGraphNode_t, const cudaMemsetParams*))
UNSUPPORTED(cudaGraphAddHostNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const cudaHostNodeParams*))
UNSUPPORTED(cudaGraphHostNodeGetParams, (cudaGraphNode_t, cudaHostNodeParams*))
UNSUPPORTED(cudaGraphHostNodeSetParams, (cudaGraphNode_t, const cudaHostNodeParams*))
UNSUPPORTED(cudaGraphAddChildGraphNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaGraph_t))
UNSUPPORTED(cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t, cudaGraph_t*))
UNSUPPORTED(cudaGraphAddEmptyNode, (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t))
UNSUPPORTED(cudaGraphAddEventRecordNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaEvent_t))
UNSUPPORTED(cudaGraphEventRecordNodeGetEvent, (cudaGraphNode_t, cudaEvent_t*))
UNSUPPORTED(cudaGraphEventRecordNodeSetEvent, (cudaGraphNode_t, cudaEvent_t))
UNSUPPORTED(cudaGraphAddEventWaitNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaEvent_t))
UNSUPPORTED(cudaGraphEventWaitNodeGetEvent, (cudaGraphNode_t, cudaEvent_t*))
UNSUPPORTED(cudaGraphEventWaitNodeSetEvent, (cudaGraphNode_t, cudaEvent_t))
UNSUPPORTED(cudaGraphAddExternalSemaphoresSignalNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const
             cudaExternalSemaphoreSignalNodeParams*))
UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeGetParams,
            (cudaGraphNode_t, cudaExternalSemaphoreSignalNodeParams*))
UNSUPPORTED(cudaGraphExternalSemaphoresSignalNodeSetParams,
            (cudaGraphNode_t, const cudaExternalSemaphoreSignalNodeParams*))
UNSUPPORTED(cudaGraphAddExternalSemaphoresWaitNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const
             cudaExternalSemaphoreWaitNodeParams*))
UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeGetParams,
            (cudaGraphNode_t, cudaExternalSemaphoreWaitNodeParams*))
UNSUPPORTED(cudaGraphExternalSemaphoresWaitNodeSetParams,
            (cudaGraphNode_t, const cudaExternalSemaphoreWaitNodeParams*))
UNSUPPORTED(cudaGraphAddNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t,
             cudaGraphNodeParams*))
UNSUPPORTED(cudaGraphNodeSetParams, (cudaGraphNode_t, cudaGraphNodeParams*))
UNSUPPORTED(cudaGraphConditionalHandleCreate,
            (cudaGraphConditionalHandle*, cudaGraph_t, unsigned int, unsigned int))
UNSUPPORTED(cudaGraphRetainUserObject, (cudaGraph_t, cudaUserObject_t, unsigned int, unsigned int))
UNSUPPORTED(cudaGraphReleaseUserObject, (cudaGraph_t, cudaUserObject_t, unsigned int))

}
