/* Profiling of a part of a program. */
#ifndef REPRISE_API_PROFILER_H
#define REPRISE_API_PROFILER_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaProfilerStart(void);
REPRISE_API cudaError_t cudaProfilerStop(void);

REPRISE_END_C

#endif /* REPRISE_API_PROFILER_H */
