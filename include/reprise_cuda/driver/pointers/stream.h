/* Types of pointers to calls by version: streams. */
#ifndef REPRISE_DRIVER_POINTERS_STREAM_H
#define REPRISE_DRIVER_POINTERS_STREAM_H

#include <cuda.h>

typedef CUresult (*PFN_cuStreamCreate_v2000)(CUstream*, unsigned int);
typedef CUresult (*PFN_cuStreamCreateWithPriority_v5050)(CUstream*, unsigned int, int);
typedef CUresult (*PFN_cuStreamGetId_v12000)(CUstream, unsigned long long*);
typedef CUresult (*PFN_cuStreamGetId_v12000_ptsz)(CUstream, unsigned long long*);
typedef CUresult (*PFN_cuStreamGetPriority_v7000_ptsz)(CUstream, int*);
typedef CUresult (*PFN_cuStreamGetFlags_v7000_ptsz)(CUstream, unsigned int*);
typedef CUresult (*PFN_cuStreamGetCtx_v9020_ptsz)(CUstream, CUcontext*);
typedef CUresult (*PFN_cuStreamWaitEvent_v7000_ptsz)(CUstream, CUevent, unsigned int);
typedef CUresult (*PFN_cuStreamAddCallback_v7000_ptsz)(CUstream, CUstreamCallback, void*, unsigned int);
typedef CUresult (*PFN_cuStreamIsCapturing_v10000_ptsz)(CUstream, CUstreamCaptureStatus*);
typedef CUresult (*PFN_cuStreamQuery_v7000_ptsz)(CUstream);
typedef CUresult (*PFN_cuStreamSynchronize_v7000_ptsz)(CUstream);
typedef CUresult (*PFN_cuStreamDestroy_v4000)(CUstream);
typedef CUresult (*PFN_cuStreamCopyAttributes_v11000_ptsz)(CUstream, CUstream);
typedef CUresult (*PFN_cuStreamGetAttribute_v11000_ptsz)(CUstream, CUstreamAttrID, CUstreamAttrValue_v1*);
typedef CUresult (*PFN_cuStreamSetAttribute_v11000_ptsz)(CUstream, CUstreamAttrID, const CUstreamAttrValue_v1*);
typedef CUresult (*PFN_cuStreamGetPriority_v5050)(CUstream, int*);
typedef CUresult (*PFN_cuStreamGetFlags_v5050)(CUstream, unsigned int*);
typedef CUresult (*PFN_cuStreamGetCtx_v9020)(CUstream, CUcontext*);
typedef CUresult (*PFN_cuStreamGetDevice_v12080)(CUstream, CUdevice*);
typedef CUresult (*PFN_cuStreamGetDevice_v12080_ptsz)(CUstream, CUdevice*);
typedef CUresult (*PFN_cuStreamWaitEvent_v3020)(CUstream, CUevent, unsigned int);
typedef CUresult (*PFN_cuStreamAddCallback_v5000)(CUstream, CUstreamCallback, void*, unsigned int);
typedef CUresult (*PFN_cuStreamQuery_v2000)(CUstream);
typedef CUresult (*PFN_cuStreamSynchronize_v2000)(CUstream);
typedef CUresult (*PFN_cuStreamIsCapturing_v10000)(CUstream, CUstreamCaptureStatus*);
typedef CUresult (*PFN_cuStreamCopyAttributes_v11000)(CUstream, CUstream);
typedef CUresult (*PFN_cuStreamGetAttribute_v11000)(CUstream, CUstreamAttrID, CUstreamAttrValue_v1*);
typedef CUresult (*PFN_cuStreamSetAttribute_v11000)(CUstream, CUstreamAttrID, const CUstreamAttrValue_v1*);
typedef CUresult (*PFN_cuStreamGetCtx_v12050)(CUstream, CUcontext*, CUgreenCtx*);
typedef CUresult (*PFN_cuStreamGetCtx_v12050_ptsz)(CUstream, CUcontext*, CUgreenCtx*);

#endif /* REPRISE_DRIVER_POINTERS_STREAM_H */
