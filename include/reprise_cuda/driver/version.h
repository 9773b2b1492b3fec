/* Initialisation and version of the driver API. */
#ifndef REPRISE_DRIVER_VERSION_H
#define REPRISE_DRIVER_VERSION_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuInit(unsigned int Flags);
REPRISE_API CUresult cuDriverGetVersion(int* driverVersion);

REPRISE_END_C

#endif /* REPRISE_DRIVER_VERSION_H */
