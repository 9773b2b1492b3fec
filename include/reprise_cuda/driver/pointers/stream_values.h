/* Types of pointers to calls by version: waiting for and writing values in streams. */
#ifndef REPRISE_DRIVER_POINTERS_STREAM_VALUES_H
#define REPRISE_DRIVER_POINTERS_STREAM_VALUES_H

#include <cuda.h>

typedef CUresult (*PFN_cuStreamWaitValue32_v8000_ptsz)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue64_v9000_ptsz)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue32_v8000_ptsz)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue64_v9000_ptsz)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamBatchMemOp_v8000_ptsz)(CUstream, unsigned int, CUstreamBatchMemOpParams_v1*,
                                                      unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue32_v11070_ptsz)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue64_v11070_ptsz)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue32_v11070_ptsz)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue64_v11070_ptsz)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamBatchMemOp_v11070_ptsz)(CUstream, unsigned int, CUstreamBatchMemOpParams*, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue32_v8000)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue32_v8000)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue64_v9000)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue64_v9000)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamBatchMemOp_v8000)(CUstream, unsigned int, CUstreamBatchMemOpParams*, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue32_v11070)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue32_v11070)(CUstream, CUdeviceptr_v2, cuuint32_t, unsigned int);
typedef CUresult (*PFN_cuStreamWriteValue64_v11070)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamWaitValue64_v11070)(CUstream, CUdeviceptr_v2, cuuint64_t, unsigned int);
typedef CUresult (*PFN_cuStreamBatchMemOp_v11070)(CUstream, unsigned int, CUstreamBatchMemOpParams*, unsigned int);

#endif /* REPRISE_DRIVER_POINTERS_STREAM_VALUES_H */
