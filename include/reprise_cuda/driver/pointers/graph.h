/* Types of pointers to calls by version: graphs and their nodes. */
#ifndef REPRISE_DRIVER_POINTERS_GRAPH_H
#define REPRISE_DRIVER_POINTERS_GRAPH_H

#include <cuda.h>

typedef CUresult (*PFN_cuStreamBeginCaptureToGraph_v12030_ptsz)(CUstream, CUgraph, const CUgraphNode*,
                                                                const CUgraphEdgeData*, size_t, CUstreamCaptureMode);
typedef CUresult (*PFN_cuGraphCreate_v10000)(CUgraph*, unsigned int);
typedef CUresult (*PFN_cuGraphAddKernelNode_v10000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                    const CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphKernelNodeGetParams_v10000)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphKernelNodeSetParams_v10000)(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphAddKernelNode_v12000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                    const CUDA_KERNEL_NODE_PARAMS_v2*);
typedef CUresult (*PFN_cuGraphKernelNodeGetParams_v12000)(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v2*);
typedef CUresult (*PFN_cuGraphKernelNodeSetParams_v12000)(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS_v2*);
typedef CUresult (*PFN_cuGraphAddMemcpyNode_v10000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                    const CUDA_MEMCPY3D_v2*, CUcontext);
typedef CUresult (*PFN_cuGraphMemcpyNodeGetParams_v10000)(CUgraphNode, CUDA_MEMCPY3D_v2*);
typedef CUresult (*PFN_cuGraphMemcpyNodeSetParams_v10000)(CUgraphNode, const CUDA_MEMCPY3D_v2*);
typedef CUresult (*PFN_cuGraphAddMemsetNode_v10000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                    const CUDA_MEMSET_NODE_PARAMS_v1*, CUcontext);
typedef CUresult (*PFN_cuGraphMemsetNodeGetParams_v10000)(CUgraphNode, CUDA_MEMSET_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphMemsetNodeSetParams_v10000)(CUgraphNode, const CUDA_MEMSET_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphAddHostNode_v10000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                  const CUDA_HOST_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphHostNodeGetParams_v10000)(CUgraphNode, CUDA_HOST_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphHostNodeSetParams_v10000)(CUgraphNode, const CUDA_HOST_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphAddChildGraphNode_v10000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraph);
typedef CUresult (*PFN_cuGraphChildGraphNodeGetGraph_v10000)(CUgraphNode, CUgraph*);
typedef CUresult (*PFN_cuGraphAddEmptyNode_v10000)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t);
typedef CUresult (*PFN_cuGraphAddEventRecordNode_v11010)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUevent);
typedef CUresult (*PFN_cuGraphEventRecordNodeGetEvent_v11010)(CUgraphNode, CUevent*);
typedef CUresult (*PFN_cuGraphEventRecordNodeSetEvent_v11010)(CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphAddEventWaitNode_v11010)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUevent);
typedef CUresult (*PFN_cuGraphEventWaitNodeGetEvent_v11010)(CUgraphNode, CUevent*);
typedef CUresult (*PFN_cuGraphEventWaitNodeSetEvent_v11010)(CUgraphNode, CUevent);
typedef CUresult (*PFN_cuGraphAddBatchMemOpNode_v11070)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
typedef CUresult (*PFN_cuGraphBatchMemOpNodeGetParams_v11070)(CUgraphNode, CUDA_BATCH_MEM_OP_NODE_PARAMS*);
typedef CUresult (*PFN_cuGraphBatchMemOpNodeSetParams_v11070)(CUgraphNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS*);
typedef CUresult (*PFN_cuGraphClone_v10000)(CUgraph*, CUgraph);
typedef CUresult (*PFN_cuGraphNodeFindInClone_v10000)(CUgraphNode*, CUgraphNode, CUgraph);
typedef CUresult (*PFN_cuGraphNodeGetType_v10000)(CUgraphNode, CUgraphNodeType*);
typedef CUresult (*PFN_cuGraphGetNodes_v10000)(CUgraph, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphGetRootNodes_v10000)(CUgraph, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphGetEdges_v10000)(CUgraph, CUgraphNode*, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphGetEdges_v12030)(CUgraph, CUgraphNode*, CUgraphNode*, CUgraphEdgeData*, size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v10000)(CUgraphNode, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v12030)(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependentNodes_v10000)(CUgraphNode, CUgraphNode*, size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependentNodes_v12030)(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, size_t*);
typedef CUresult (*PFN_cuGraphAddDependencies_v10000)(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
typedef CUresult (*PFN_cuGraphAddDependencies_v12030)(CUgraph, const CUgraphNode*, const CUgraphNode*,
                                                      const CUgraphEdgeData*, size_t);
typedef CUresult (*PFN_cuGraphRemoveDependencies_v10000)(CUgraph, const CUgraphNode*, const CUgraphNode*, size_t);
typedef CUresult (*PFN_cuGraphRemoveDependencies_v12030)(CUgraph, const CUgraphNode*, const CUgraphNode*,
                                                         const CUgraphEdgeData*, size_t);
typedef CUresult (*PFN_cuGraphDestroyNode_v10000)(CUgraphNode);
typedef CUresult (*PFN_cuGraphDestroy_v10000)(CUgraph);
typedef CUresult (*PFN_cuGraphKernelNodeCopyAttributes_v11000)(CUgraphNode, CUgraphNode);
typedef CUresult (*PFN_cuGraphKernelNodeGetAttribute_v11000)(CUgraphNode, CUkernelNodeAttrID,
                                                             CUkernelNodeAttrValue_v1*);
typedef CUresult (*PFN_cuGraphKernelNodeSetAttribute_v11000)(CUgraphNode, CUkernelNodeAttrID,
                                                             const CUkernelNodeAttrValue_v1*);
typedef CUresult (*PFN_cuGraphDebugDotPrint_v11030)(CUgraph, const char*, unsigned int);
typedef CUresult (*PFN_cuGraphAddMemAllocNode_v11040)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                      CUDA_MEM_ALLOC_NODE_PARAMS*);
typedef CUresult (*PFN_cuGraphMemAllocNodeGetParams_v11040)(CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS*);
typedef CUresult (*PFN_cuGraphAddMemFreeNode_v11040)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUdeviceptr);
typedef CUresult (*PFN_cuGraphMemFreeNodeGetParams_v11040)(CUgraphNode, CUdeviceptr*);
typedef CUresult (*PFN_cuGraphNodeSetEnabled_v11060)(CUgraphExec, CUgraphNode, unsigned int);
typedef CUresult (*PFN_cuGraphNodeGetEnabled_v11060)(CUgraphExec, CUgraphNode, unsigned int*);
typedef CUresult (*PFN_cuGraphAddNode_v12020)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t, CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphAddNode_v12030)(CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*, size_t,
                                              CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphNodeSetParams_v12020)(CUgraphNode, CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphConditionalHandleCreate_v12030)(CUgraphConditionalHandle*, CUgraph, CUcontext,
                                                              unsigned int, unsigned int);
typedef CUresult (*PFN_cuDeviceGraphMemTrim_v11040)(CUdevice);
typedef CUresult (*PFN_cuDeviceGetGraphMemAttribute_v11040)(CUdevice, CUgraphMem_attribute, void*);
typedef CUresult (*PFN_cuDeviceSetGraphMemAttribute_v11040)(CUdevice, CUgraphMem_attribute, void*);
typedef CUresult (*PFN_cuStreamBeginCaptureToGraph_v12030)(CUstream, CUgraph, const CUgraphNode*,
                                                           const CUgraphEdgeData*, size_t, CUstreamCaptureMode);
typedef CUresult (*PFN_cuUserObjectCreate_v11030)(CUuserObject*, void*, CUhostFn, unsigned int, unsigned int);
typedef CUresult (*PFN_cuUserObjectRetain_v11030)(CUuserObject, unsigned int);
typedef CUresult (*PFN_cuUserObjectRelease_v11030)(CUuserObject, unsigned int);
typedef CUresult (*PFN_cuGraphRetainUserObject_v11030)(CUgraph, CUuserObject, unsigned int, unsigned int);
typedef CUresult (*PFN_cuGraphReleaseUserObject_v11030)(CUgraph, CUuserObject, unsigned int);

#endif /* REPRISE_DRIVER_POINTERS_GRAPH_H */
