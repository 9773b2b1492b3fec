// Entry points that exist so that programs link, and say that they do nothing. One row each; the file's WHY goes to
// the log. A file may say which error it is: what takes only handles that nobody can have refuses the handle.
#pragma once

#define CUDA_ENABLE_DEPRECATED
#include <cuda_runtime_api.h>

#include "api/arguments.h"
#include "api/entry.h"
#include "diagnose/refuse.h"

#ifndef ERROR
#define ERROR cudaErrorNotSupported
#endif

#define UNSUPPORTED(name, parameters)                                                                       \
  cudaError_t name parameters {                                                                             \
    return reprise_runtime::api::entry([] { return reprise_runtime::diagnose::refuse(ERROR, "%s", WHY); }); \
  }

// Those of which CUDA checks something that is worth checking: `check` is an error, or success.
#define UNSUPPORTED_AFTER(name, parameters, check)                          \
  cudaError_t name parameters {                                             \
    return reprise_runtime::api::entry([&] {                                \
      if (cudaError_t status = check; status != cudaSuccess) return status; \
      return reprise_runtime::diagnose::refuse(ERROR, "%s", WHY);           \
    });                                                                     \
  }

// Those that have a second name for programs whose stream 0 is the thread's own (see per_thread_default_stream.h).
#define UNSUPPORTED_PTDS(name, parameters) \
  UNSUPPORTED(name, parameters)            \
  REPRISE_EXPORT __attribute__((alias(#name))) cudaError_t name##_ptds parameters;
#define UNSUPPORTED_PTSZ(name, parameters) \
  UNSUPPORTED(name, parameters)            \
  REPRISE_EXPORT __attribute__((alias(#name))) cudaError_t name##_ptsz parameters;
