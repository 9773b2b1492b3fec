// Two entry points for each call that may use the default stream: the plain one means the legacy stream by it, the one
// for programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM the calling thread's own.
#pragma once

#include <driver_types.h>

#include "api/entry.h"
#include "base/export.h"

namespace reprise_runtime::api {

// What stream 0 is in a program with default streams per thread.
inline cudaStream_t per_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

}  // namespace reprise_runtime::api

// name(...) and name_ptds(...): a call that names no stream; `call` uses `default_stream`. It looks at its arguments
// before it looks whether the device had a fault. `names` are those of the parameters, for the log.
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
