/* Types of pointers to calls by version: stream capture. */
#ifndef REPRISE_DRIVER_POINTERS_CAPTURE_H
#define REPRISE_DRIVER_POINTERS_CAPTURE_H

#include <cuda.h>

typedef CUresult (*PFN_cuStreamBeginCapture_v10010_ptsz)(CUstream, CUstreamCaptureMode);
typedef CUresult (*PFN_cuThreadExchangeStreamCaptureMode_v10010)(CUstreamCaptureMode*);
typedef CUresult (*PFN_cuStreamEndCapture_v10000_ptsz)(CUstream, CUgraph*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v10010_ptsz)(CUstream, CUstreamCaptureStatus*, cuuint64_t*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v11030_ptsz)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                                           const CUgraphNode**, size_t*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v12030_ptsz)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                                           const CUgraphNode**, const CUgraphEdgeData**, size_t*);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v11030_ptsz)(CUstream, CUgraphNode*, size_t, unsigned int);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v12030_ptsz)(CUstream, CUgraphNode*, const CUgraphEdgeData*,
                                                                      size_t, unsigned int);
typedef CUresult (*PFN_cuStreamBeginCapture_v10010)(CUstream, CUstreamCaptureMode);
typedef CUresult (*PFN_cuStreamEndCapture_v10000)(CUstream, CUgraph*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v10010)(CUstream, CUstreamCaptureStatus*, cuuint64_t*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v11030)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                                      const CUgraphNode**, size_t*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v12030)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                                      const CUgraphNode**, const CUgraphEdgeData**, size_t*);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v11030)(CUstream, CUgraphNode*, size_t, unsigned int);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v12030)(CUstream, CUgraphNode*, const CUgraphEdgeData*, size_t,
                                                                 unsigned int);

#endif /* REPRISE_DRIVER_POINTERS_CAPTURE_H */
