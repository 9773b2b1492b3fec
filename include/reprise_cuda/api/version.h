/* Versions of driver and runtime. */
#ifndef REPRISE_API_VERSION_H
#define REPRISE_API_VERSION_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaDriverGetVersion(int* driverVersion);
REPRISE_API cudaError_t cudaRuntimeGetVersion(int* runtimeVersion);

REPRISE_END_C

#endif /* REPRISE_API_VERSION_H */
