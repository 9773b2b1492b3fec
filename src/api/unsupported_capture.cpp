// Stream capture.
#include "api/unsupported.h"

#define WHY "capture is not there yet"

extern "C" {

UNSUPPORTED_PTSZ(cudaStreamBeginCapture, (cudaStream_t, cudaStreamCaptureMode))
UNSUPPORTED_PTSZ(cudaStreamBeginCaptureToGraph,
                 (cudaStream_t, cudaGraph_t, const cudaGraphNode_t*, const cudaGraphEdgeData*, size_t,
                  cudaStreamCaptureMode))
UNSUPPORTED(cudaThreadExchangeStreamCaptureMode, (cudaStreamCaptureMode*))
UNSUPPORTED_PTSZ(cudaStreamEndCapture, (cudaStream_t, cudaGraph_t*))
UNSUPPORTED_PTSZ(cudaStreamUpdateCaptureDependencies,
                 (cudaStream_t, cudaGraphNode_t*, const cudaGraphEdgeData*, size_t, unsigned int))

}
