/* How a call of the runtime is declared: with C linkage, exported from the library, with C++'s defaults. */
#ifndef REPRISE_API_DECLARE_H
#define REPRISE_API_DECLARE_H

#include <host_defines.h>
#include <stddef.h>

#include "per_thread_default_stream.h"

#if defined(__cplusplus)
#define REPRISE_BEGIN_C extern "C" {
#define REPRISE_END_C }
#define REPRISE_DEFAULT(value) = value
#else
#define REPRISE_BEGIN_C
#define REPRISE_END_C
#define REPRISE_DEFAULT(value)
#endif

/* The library is compiled with hidden visibility: what is declared here is what it shows. */
#define REPRISE_EXPORT __attribute__((visibility("default")))
#define REPRISE_API extern REPRISE_EXPORT __host__

#if defined(CUDA_ENABLE_DEPRECATED)
#define REPRISE_DEPRECATED
#else
#define REPRISE_DEPRECATED __attribute__((deprecated))
#endif

#endif /* REPRISE_API_DECLARE_H */
