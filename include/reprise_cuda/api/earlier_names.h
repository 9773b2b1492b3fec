/* Names of CUDA 11 and 12 for calls that have a plain name in CUDA 13. */
#ifndef REPRISE_API_EARLIER_NAMES_H
#define REPRISE_API_EARLIER_NAMES_H

#include "capture.h"
#include "declare.h"
#include "device.h"
#include "event.h"
#include "graph.h"
#include "graph_node.h"
#include "managed.h"

#define REPRISE_EARLIER static __inline__ __host__ cudaError_t

REPRISE_EARLIER cudaGetDeviceProperties_v2(struct cudaDeviceProp* prop, int device) {
  return cudaGetDeviceProperties(prop, device);
}

REPRISE_EARLIER cudaEventElapsedTime_v2(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(ms, start, end);
}

REPRISE_EARLIER cudaMemPrefetchAsync_v2(const void* devPtr, size_t count, struct cudaMemLocation location,
                                        unsigned int flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(devPtr, count, location, flags, stream);
}

REPRISE_EARLIER cudaMemAdvise_v2(const void* devPtr, size_t count, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation location) {
  return cudaMemAdvise(devPtr, count, advice, location);
}

REPRISE_EARLIER cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus* captureStatus_out,
                                            unsigned long long* id_out REPRISE_DEFAULT(0),
                                            cudaGraph_t* graph_out REPRISE_DEFAULT(0),
                                            const cudaGraphNode_t** dependencies_out REPRISE_DEFAULT(0),
                                            size_t* numDependencies_out REPRISE_DEFAULT(0)) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
                                  numDependencies_out);
}

REPRISE_EARLIER cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus* captureStatus_out,
                                            unsigned long long* id_out REPRISE_DEFAULT(0),
                                            cudaGraph_t* graph_out REPRISE_DEFAULT(0),
                                            const cudaGraphNode_t** dependencies_out REPRISE_DEFAULT(0),
                                            const cudaGraphEdgeData** edgeData_out REPRISE_DEFAULT(0),
                                            size_t* numDependencies_out REPRISE_DEFAULT(0)) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out,
                                  numDependencies_out);
}

REPRISE_EARLIER cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                       const cudaGraphEdgeData* dependencyData, size_t numDependencies,
                                                       unsigned int flags REPRISE_DEFAULT(0)) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, dependencyData, numDependencies, flags);
}

REPRISE_EARLIER cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* edgeData, size_t* numEdges) {
  return cudaGraphGetEdges(graph, from, to, edgeData, numEdges);
}

REPRISE_EARLIER cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* pDependencies,
                                                cudaGraphEdgeData* edgeData, size_t* pNumDependencies) {
  return cudaGraphNodeGetDependencies(node, pDependencies, edgeData, pNumDependencies);
}

REPRISE_EARLIER cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* pDependentNodes,
                                                  cudaGraphEdgeData* edgeData, size_t* pNumDependentNodes) {
  return cudaGraphNodeGetDependentNodes(node, pDependentNodes, edgeData, pNumDependentNodes);
}

REPRISE_EARLIER cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            const cudaGraphEdgeData* edgeData, size_t numDependencies) {
  return cudaGraphAddDependencies(graph, from, to, edgeData, numDependencies);
}

REPRISE_EARLIER cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData* edgeData,
                                               size_t numDependencies) {
  return cudaGraphRemoveDependencies(graph, from, to, edgeData, numDependencies);
}

REPRISE_EARLIER cudaGraphAddNode_v2(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                    const cudaGraphNode_t* pDependencies, const cudaGraphEdgeData* dependencyData,
                                    size_t numDependencies, struct cudaGraphNodeParams* nodeParams) {
  return cudaGraphAddNode(pGraphNode, graph, pDependencies, dependencyData, numDependencies, nodeParams);
}

REPRISE_EARLIER cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
REPRISE_EARLIER cudaThreadExit(void) { return cudaDeviceReset(); }

#undef REPRISE_EARLIER

#endif /* REPRISE_API_EARLIER_NAMES_H */
