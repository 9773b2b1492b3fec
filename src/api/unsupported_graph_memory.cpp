// Graph memory.
#include "api/unsupported.h"

#define WHY "graph memory is not there yet"

extern "C" {

UNSUPPORTED(cudaGraphAddMemAllocNode,
            (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaMemAllocNodeParams*))
UNSUPPORTED(cudaGraphMemAllocNodeGetParams, (cudaGraphNode_t, cudaMemAllocNodeParams*))
UNSUPPORTED(cudaGraphAddMemFreeNode, (cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*))
UNSUPPORTED(cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t, void*))
UNSUPPORTED(cudaDeviceGraphMemTrim, (int))
UNSUPPORTED(cudaDeviceGetGraphMemAttribute, (int, cudaGraphMemAttributeType, void*))
UNSUPPORTED(cudaDeviceSetGraphMemAttribute, (int, cudaGraphMemAttributeType, void*))

}
