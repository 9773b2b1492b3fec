/* Waiting for and writing values in streams of the driver API. */
#ifndef REPRISE_DRIVER_STREAM_VALUES_H
#define REPRISE_DRIVER_STREAM_VALUES_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);
REPRISE_API CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);
REPRISE_API CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags);
REPRISE_API CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags);
REPRISE_API CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray,
                                        unsigned int flags);

REPRISE_END_C

#endif /* REPRISE_DRIVER_STREAM_VALUES_H */
