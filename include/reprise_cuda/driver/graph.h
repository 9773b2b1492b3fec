/* Graphs and their nodes of the driver API. */
#ifndef REPRISE_DRIVER_GRAPH_H
#define REPRISE_DRIVER_GRAPH_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies,
                                                 const CUgraphEdgeData* dependencyData, size_t numDependencies,
                                                 CUstreamCaptureMode mode);
REPRISE_API CUresult cuGraphCreate(CUgraph* phGraph, unsigned int flags);
REPRISE_API CUresult cuGraphAddKernelNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                          size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphKernelNodeSetParams(CUgraphNode hNode, const CUDA_KERNEL_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphAddMemcpyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                          size_t numDependencies, const CUDA_MEMCPY3D* copyParams, CUcontext ctx);
REPRISE_API CUresult cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams);
REPRISE_API CUresult cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams);
REPRISE_API CUresult cuGraphAddMemsetNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                          size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS* memsetParams,
                                          CUcontext ctx);
REPRISE_API CUresult cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphMemsetNodeSetParams(CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphAddHostNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                        size_t numDependencies, const CUDA_HOST_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphAddChildGraphNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                              size_t numDependencies, CUgraph childGraph);
REPRISE_API CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph* phGraph);
REPRISE_API CUresult cuGraphAddEmptyNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                         size_t numDependencies);
REPRISE_API CUresult cuGraphAddEventRecordNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                               const CUgraphNode* dependencies, size_t numDependencies, CUevent event);
REPRISE_API CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent* event_out);
REPRISE_API CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event);
REPRISE_API CUresult cuGraphAddEventWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                             size_t numDependencies, CUevent event);
REPRISE_API CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent* event_out);
REPRISE_API CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event);
REPRISE_API CUresult cuGraphAddBatchMemOpNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                              size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out);
REPRISE_API CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphAddMemAllocNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                            size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphMemAllocNodeGetParams(CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS* params_out);
REPRISE_API CUresult cuGraphAddMemFreeNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                           size_t numDependencies, CUdeviceptr dptr);
REPRISE_API CUresult cuGraphMemFreeNodeGetParams(CUgraphNode hNode, CUdeviceptr* dptr_out);
REPRISE_API CUresult cuDeviceGraphMemTrim(CUdevice device);
REPRISE_API CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value);
REPRISE_API CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value);
REPRISE_API CUresult cuGraphClone(CUgraph* phGraphClone, CUgraph originalGraph);
REPRISE_API CUresult cuGraphNodeFindInClone(CUgraphNode* phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph);
REPRISE_API CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType* type);
REPRISE_API CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes);
REPRISE_API CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode* rootNodes, size_t* numRootNodes);
REPRISE_API CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edgeData,
                                     size_t* numEdges);
REPRISE_API CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies, CUgraphEdgeData* edgeData,
                                                size_t* numDependencies);
REPRISE_API CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode* dependentNodes,
                                                  CUgraphEdgeData* edgeData, size_t* numDependentNodes);
REPRISE_API CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                            const CUgraphEdgeData* edgeData, size_t numDependencies);
REPRISE_API CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                               const CUgraphEdgeData* edgeData, size_t numDependencies);
REPRISE_API CUresult cuGraphDestroyNode(CUgraphNode hNode);
REPRISE_API CUresult cuGraphNodeSetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int isEnabled);
REPRISE_API CUresult cuGraphNodeGetEnabled(CUgraphExec hGraphExec, CUgraphNode hNode, unsigned int* isEnabled);
REPRISE_API CUresult cuGraphDestroy(CUgraph hGraph);
REPRISE_API CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src);
REPRISE_API CUresult cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                                   CUkernelNodeAttrValue* value_out);
REPRISE_API CUresult cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
                                                   const CUkernelNodeAttrValue* value);
REPRISE_API CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char* path, unsigned int flags);
REPRISE_API CUresult cuUserObjectCreate(CUuserObject* object_out, void* ptr, CUhostFn destroy,
                                        unsigned int initialRefcount, unsigned int flags);
REPRISE_API CUresult cuUserObjectRetain(CUuserObject object, unsigned int count);
REPRISE_API CUresult cuUserObjectRelease(CUuserObject object, unsigned int count);
REPRISE_API CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count,
                                             unsigned int flags);
REPRISE_API CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count);
REPRISE_API CUresult cuGraphAddNode(CUgraphNode* phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                    const CUgraphEdgeData* dependencyData, size_t numDependencies,
                                    CUgraphNodeParams* nodeParams);
REPRISE_API CUresult cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams* nodeParams);
REPRISE_API CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* pHandle_out, CUgraph hGraph,
                                                    CUcontext ctx, unsigned int defaultLaunchValue, unsigned int flags);

REPRISE_END_C

#endif /* REPRISE_DRIVER_GRAPH_H */
