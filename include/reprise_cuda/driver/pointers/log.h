/* Types of pointers to calls by version: the log. */
#ifndef REPRISE_DRIVER_POINTERS_LOG_H
#define REPRISE_DRIVER_POINTERS_LOG_H

#include <cuda.h>

typedef CUresult (*PFN_cuLogsRegisterCallback_v12090)(CUlogsCallback, void*, CUlogsCallbackHandle*);
typedef CUresult (*PFN_cuLogsUnregisterCallback_v12090)(CUlogsCallbackHandle);
typedef CUresult (*PFN_cuLogsCurrent_v12090)(CUlogIterator*, unsigned int);
typedef CUresult (*PFN_cuLogsDumpToFile_v12090)(CUlogIterator*, const char*, unsigned int);
typedef CUresult (*PFN_cuLogsDumpToMemory_v12090)(CUlogIterator*, char*, size_t*, unsigned int);

#endif /* REPRISE_DRIVER_POINTERS_LOG_H */
