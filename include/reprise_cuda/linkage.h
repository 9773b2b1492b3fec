/* Macros to declare a call of either API: C linkage, export from the library, default arguments in C++. */
#ifndef REPRISE_LINKAGE_H
#define REPRISE_LINKAGE_H

#include <host_defines.h>

#if defined(__cplusplus)
#define REPRISE_BEGIN_C extern "C" {
#define REPRISE_END_C }
#define REPRISE_DEFAULT(value) = value
#else
#define REPRISE_BEGIN_C
#define REPRISE_END_C
#define REPRISE_DEFAULT(value)
#endif

/* The library is compiled with hidden visibility and exports only these declarations. */
#define REPRISE_EXPORT __attribute__((visibility("default")))
#define REPRISE_API extern REPRISE_EXPORT __host__

#if defined(CUDA_ENABLE_DEPRECATED)
#define REPRISE_DEPRECATED
#else
#define REPRISE_DEPRECATED __attribute__((deprecated))
#endif

#endif /* REPRISE_LINKAGE_H */
