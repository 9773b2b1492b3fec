/* Allocation and free nodes, and the memory that graphs hold. */
#ifndef REPRISE_API_GRAPH_MEMORY_H
#define REPRISE_API_GRAPH_MEMORY_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                 const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                                 struct cudaMemAllocNodeParams* nodeParams);
REPRISE_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams* params_out);
REPRISE_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                                void* dptr);
REPRISE_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* dptr_out);
REPRISE_API cudaError_t cudaDeviceGraphMemTrim(int device);
REPRISE_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void* value);
REPRISE_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attr, void* value);

REPRISE_END_C

#endif /* REPRISE_API_GRAPH_MEMORY_H */
