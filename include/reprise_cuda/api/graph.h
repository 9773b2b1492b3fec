/* Graphs: creation, nodes and edges as a whole, cloning and drawing. */
#ifndef REPRISE_API_GRAPH_H
#define REPRISE_API_GRAPH_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned int flags);
REPRISE_API cudaError_t cudaGraphClone(cudaGraph_t* pGraphClone, cudaGraph_t originalGraph);
REPRISE_API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* pNode, cudaGraphNode_t originalNode,
                                                 cudaGraph_t clonedGraph);
REPRISE_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* pType);
REPRISE_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* numNodes);
REPRISE_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* pRootNodes, size_t* pNumRootNodes);
REPRISE_API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                          cudaGraphEdgeData* edgeData, size_t* numEdges);
REPRISE_API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* pDependencies,
                                                     cudaGraphEdgeData* edgeData, size_t* pNumDependencies);
REPRISE_API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* pDependentNodes,
                                                       cudaGraphEdgeData* edgeData, size_t* pNumDependentNodes);
REPRISE_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to, const cudaGraphEdgeData* edgeData,
                                                 size_t numDependencies);
REPRISE_API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                    const cudaGraphNode_t* to, const cudaGraphEdgeData* edgeData,
                                                    size_t numDependencies);
REPRISE_API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
REPRISE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph);
REPRISE_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags);

REPRISE_END_C

#endif /* REPRISE_API_GRAPH_H */
