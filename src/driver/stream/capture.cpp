// Capture of streams.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using driver::as_runtime;

extern "C" {

CALL_PTSZ(cuStreamBeginCapture, (CUstream hStream, CUstreamCaptureMode mode), (hStream, mode),
          cudaStreamBeginCapture(hStream, as_runtime(mode)))
CALL_PTSZ(cuStreamBeginCaptureToGraph,
          (CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies, const CUgraphEdgeData* dependencyData,
           size_t numDependencies, CUstreamCaptureMode mode),
          (hStream, hGraph, dependencies, dependencyData, numDependencies, mode),
          cudaStreamBeginCaptureToGraph(hStream, hGraph, dependencies, as_runtime(dependencyData), numDependencies,
                                        as_runtime(mode)))
CALL_PTSZ(cuStreamEndCapture, (CUstream hStream, CUgraph* phGraph), (hStream, phGraph),
          cudaStreamEndCapture(hStream, phGraph))
CALL_PTSZ(cuStreamIsCapturing, (CUstream hStream, CUstreamCaptureStatus* captureStatus), (hStream, captureStatus),
          cudaStreamIsCapturing(hStream, as_runtime(captureStatus)))
CALL_PTSZ(cuStreamGetCaptureInfo,
          (CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out,
           const CUgraphNode** dependencies_out, const CUgraphEdgeData** edgeData_out, size_t* numDependencies_out),
          (hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out),
          cudaStreamGetCaptureInfo(hStream, as_runtime(captureStatus_out), as_runtime(id_out), graph_out,
                                   dependencies_out, as_runtime(edgeData_out), numDependencies_out))
CALL_PTSZ(cuStreamUpdateCaptureDependencies,
          (CUstream hStream, CUgraphNode* dependencies, const CUgraphEdgeData* dependencyData, size_t numDependencies,
           unsigned int flags),
          (hStream, dependencies, dependencyData, numDependencies, flags),
          cudaStreamUpdateCaptureDependencies(hStream, dependencies, as_runtime(dependencyData), numDependencies,
                                              flags))
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return driver::entry_initialised([&] { return cudaThreadExchangeStreamCaptureMode(as_runtime(mode)); },
                                   ARGUMENTS(mode));
}
}
