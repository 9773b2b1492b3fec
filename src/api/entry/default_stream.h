// Macros for calls that may use the default stream. Each has two entry points: the plain one uses the legacy stream as
// stream 0, the other one, for programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM, the calling thread's own.
#pragma once

#include <driver_types.h>

#include "api/entry/entry.h"
#include "base/export.h"

namespace reprise_runtime::api {

// Replaces stream 0 by the calling thread's own stream.
inline cudaStream_t per_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

}  // namespace reprise_runtime::api

// name(...) and name_ptds(...): a call without a stream parameter; `call` uses `default_stream`. The call checks its
// arguments before it checks for a fault of the device. `names` are the parameter names, for the log.
#define WITHOUT_STREAM(name, parameters, names, call)                                 \
  cudaError_t name parameters {                                                       \
    const cudaStream_t default_stream = nullptr;                                      \
    return reprise_runtime::api::entry_always([&] { return call; }, ARGUMENTS names); \
  }                                                                                   \
  REPRISE_EXPORT cudaError_t name##_ptds parameters {                                 \
    const cudaStream_t default_stream = cudaStreamPerThread;                          \
    return reprise_runtime::api::entry_always([&] { return call; }, ARGUMENTS names); \
  }

// name(...) and name_ptsz(...): a call with a parameter `stream`.
#define WITH_STREAM(name, parameters, names, call)                                    \
  cudaError_t name parameters {                                                       \
    return reprise_runtime::api::entry_always([&] { return call; }, ARGUMENTS names); \
  }                                                                                   \
  REPRISE_EXPORT cudaError_t name##_ptsz parameters {                                 \
    stream = reprise_runtime::api::per_thread(stream);                                \
    return reprise_runtime::api::entry_always([&] { return call; }, ARGUMENTS names); \
  }
