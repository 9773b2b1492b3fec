/* Types of pointers to calls by version: events. */
#ifndef REPRISE_DRIVER_POINTERS_EVENT_H
#define REPRISE_DRIVER_POINTERS_EVENT_H

#include <cuda.h>

typedef CUresult (*PFN_cuEventCreate_v2000)(CUevent*, unsigned int);
typedef CUresult (*PFN_cuEventRecord_v7000_ptsz)(CUevent, CUstream);
typedef CUresult (*PFN_cuEventRecordWithFlags_v11010_ptsz)(CUevent, CUstream, unsigned int);
typedef CUresult (*PFN_cuEventQuery_v2000)(CUevent);
typedef CUresult (*PFN_cuEventSynchronize_v2000)(CUevent);
typedef CUresult (*PFN_cuEventDestroy_v4000)(CUevent);
typedef CUresult (*PFN_cuEventElapsedTime_v2000)(float*, CUevent, CUevent);
typedef CUresult (*PFN_cuEventElapsedTime_v12080)(float*, CUevent, CUevent);
typedef CUresult (*PFN_cuEventRecord_v2000)(CUevent, CUstream);
typedef CUresult (*PFN_cuEventRecordWithFlags_v11010)(CUevent, CUstream, unsigned int);

#endif /* REPRISE_DRIVER_POINTERS_EVENT_H */
