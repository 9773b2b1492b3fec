/* The log of the driver API. */
#ifndef REPRISE_DRIVER_LOG_H
#define REPRISE_DRIVER_LOG_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuLogsRegisterCallback(CUlogsCallback callbackFunc, void* userData,
                                            CUlogsCallbackHandle* callback_out);
REPRISE_API CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle callback);
REPRISE_API CUresult cuLogsCurrent(CUlogIterator* iterator_out, unsigned int flags);
REPRISE_API CUresult cuLogsDumpToFile(CUlogIterator* iterator, const char* pathToFile, unsigned int flags);
REPRISE_API CUresult cuLogsDumpToMemory(CUlogIterator* iterator, char* buffer, size_t* size, unsigned int flags);

REPRISE_END_C

#endif /* REPRISE_DRIVER_LOG_H */
