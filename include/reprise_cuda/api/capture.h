/* Capture of a stream's work into a graph. */
#ifndef REPRISE_API_CAPTURE_H
#define REPRISE_API_CAPTURE_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
REPRISE_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                      const cudaGraphNode_t* dependencies,
                                                      const cudaGraphEdgeData* dependencyData, size_t numDependencies,
                                                      enum cudaStreamCaptureMode mode);
REPRISE_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode* mode);
REPRISE_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* pGraph);
REPRISE_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* pCaptureStatus);
REPRISE_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* captureStatus_out,
                                                 unsigned long long* id_out REPRISE_DEFAULT(0),
                                                 cudaGraph_t* graph_out REPRISE_DEFAULT(0),
                                                 const cudaGraphNode_t** dependencies_out REPRISE_DEFAULT(0),
                                                 const cudaGraphEdgeData** edgeData_out REPRISE_DEFAULT(0),
                                                 size_t* numDependencies_out REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                            const cudaGraphEdgeData* dependencyData,
                                                            size_t numDependencies,
                                                            unsigned int flags REPRISE_DEFAULT(0));

REPRISE_END_C

#endif /* REPRISE_API_CAPTURE_H */
