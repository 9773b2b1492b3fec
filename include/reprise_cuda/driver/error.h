/* Results of the driver API. */
#ifndef REPRISE_DRIVER_ERROR_H
#define REPRISE_DRIVER_ERROR_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuGetErrorString(CUresult error, const char** pStr);
REPRISE_API CUresult cuGetErrorName(CUresult error, const char** pStr);

REPRISE_END_C

#endif /* REPRISE_DRIVER_ERROR_H */
