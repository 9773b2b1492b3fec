/* Stream capture of the driver API. */
#ifndef REPRISE_DRIVER_CAPTURE_H
#define REPRISE_DRIVER_CAPTURE_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuStreamBeginCapture(CUstream hStream, CUstreamCaptureMode mode);
REPRISE_API CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode);
REPRISE_API CUresult cuStreamEndCapture(CUstream hStream, CUgraph* phGraph);
REPRISE_API CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus* captureStatus_out,
                                            cuuint64_t* id_out, CUgraph* graph_out,
                                            const CUgraphNode** dependencies_out, const CUgraphEdgeData** edgeData_out,
                                            size_t* numDependencies_out);
REPRISE_API CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode* dependencies,
                                                       const CUgraphEdgeData* dependencyData, size_t numDependencies,
                                                       unsigned int flags);

REPRISE_END_C

#endif /* REPRISE_DRIVER_CAPTURE_H */
