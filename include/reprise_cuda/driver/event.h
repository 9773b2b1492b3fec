/* Events of the driver API. */
#ifndef REPRISE_DRIVER_EVENT_H
#define REPRISE_DRIVER_EVENT_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuEventCreate(CUevent* phEvent, unsigned int Flags);
REPRISE_API CUresult cuEventRecord(CUevent hEvent, CUstream hStream);
REPRISE_API CUresult cuEventRecordWithFlags(CUevent hEvent, CUstream hStream, unsigned int flags);
REPRISE_API CUresult cuEventQuery(CUevent hEvent);
REPRISE_API CUresult cuEventSynchronize(CUevent hEvent);
REPRISE_API CUresult cuEventDestroy(CUevent hEvent);
REPRISE_API CUresult cuEventElapsedTime(float* pMilliseconds, CUevent hStart, CUevent hEnd);

REPRISE_END_C

#endif /* REPRISE_DRIVER_EVENT_H */
