// Entry points that exist so that programs link, and that refuse every call. One row each: the call, its parameters,
// and their names for the log. The file's WHY is the reason that the log gives. A file may define ERROR before it
// includes this header: calls that take only handles that no program can have refuse the handle.
#pragma once

#define CUDA_ENABLE_DEPRECATED
#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "diagnose/refuse.h"

#ifndef ERROR
#define ERROR cudaErrorNotSupported
#endif

#define UNSUPPORTED(name, parameters, names)                                                               \
  cudaError_t name parameters {                                                                            \
    return reprise_runtime::api::entry([] { return reprise_runtime::diagnose::refuse(ERROR, "%s", WHY); }, \
                                       ARGUMENTS names);                                                   \
  }

// Calls whose arguments CUDA checks first: `check` is an error, or success.
#define UNSUPPORTED_AFTER(name, parameters, names, check)                       \
  cudaError_t name parameters {                                                 \
    return reprise_runtime::api::entry(                                         \
        [&] {                                                                   \
          if (cudaError_t status = check; status != cudaSuccess) return status; \
          return reprise_runtime::diagnose::refuse(ERROR, "%s", WHY);           \
        },                                                                      \
        ARGUMENTS names);                                                       \
  }

// Calls with a second name for programs whose stream 0 is the thread's own (see per_thread_default_stream.h).
#define UNSUPPORTED_PTDS(name, parameters, names) \
  UNSUPPORTED(name, parameters, names)            \
  REPRISE_EXPORT __attribute__((alias(#name))) cudaError_t name##_ptds parameters;
#define UNSUPPORTED_PTSZ(name, parameters, names) \
  UNSUPPORTED(name, parameters, names)            \
  REPRISE_EXPORT __attribute__((alias(#name))) cudaError_t name##_ptsz parameters;
