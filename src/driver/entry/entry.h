// What every call of the driver API does around its one call: refuse it before initialisation or without a context,
// turn the runtime's error into the driver's, and log it under the driver call's own name. The runtime's last error
// stays as it is.
//
//   CUresult cuStreamQuery(CUstream hStream) {
//     return driver::entry([&] { return cudaStreamQuery(hStream); }, ARGUMENTS(hStream));
//   }
#pragma once

// Calls that CUDA has deprecated are still calls.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <new>
#include <utility>

#include "api/entry/entry.h"
#include "base/export.h"
#include "base/runtime_use.h"
#include "diagnose/driver_result.h"
#include "diagnose/refuse.h"
#include "driver/context/context.h"

namespace reprise_runtime::driver {

enum class Needs { nothing, initialisation, context };

// While it lives, the runtime functions that the thread calls neither log nor keep their errors, and do not count as a
// use of the runtime.
class CallScope {
 public:
  CallScope() : before_(std::exchange(thread_use().driver_call, DriverCall::running)) {}
  ~CallScope() { thread_use().driver_call = before_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  const DriverCall before_;
};

[[gnu::cold, gnu::noinline]] inline cudaError_t refuse_needs() {
  if (!driver_initialised()) return diagnose::refuse(cudaErrorInitializationError, "call cuInit(0) first");
  return diagnose::refuse(cudaErrorDeviceUninitialized,
                          "the thread has no current context; retain the primary one and push it");
}

// Success, or why a call with these needs is refused now. A context implies that the driver is initialised.
template <Needs needs>
inline cudaError_t check_needs() {
  if constexpr (needs == Needs::nothing) return cudaSuccess;
  const bool given = needs == Needs::context ? Context::current() != nullptr : driver_initialised();
  return given ? cudaSuccess : refuse_needs();
}

template <class Fail>
[[gnu::cold, gnu::noinline]] CUresult failed(const char* name, cudaError_t status,
                                             const api::Arguments<Fail>& arguments) {
  const DriverCall before = std::exchange(thread_use().driver_call, DriverCall::reporting);
  static_cast<void>(arguments.fail(name, status));
  thread_use().driver_call = before;
  return diagnose::result_of(status);
}

struct NoScope {};

// `call` returns a cudaError_t. `arguments`, from ARGUMENTS(...), are for the log.
template <Needs needs = Needs::context, class Scope = CallScope, class Call, class Fail>
inline CUresult entry(Call&& call, const api::Arguments<Fail>& arguments, const char* name = __builtin_FUNCTION()) {
  cudaError_t status = check_needs<needs>();
  if (status == cudaSuccess) [[likely]] {
    [[maybe_unused]] Scope scope;
    try {
      status = call();
    } catch (const std::bad_alloc&) {
      status = cudaErrorMemoryAllocation;
    }
  }
  if (status == cudaSuccess) [[likely]]
    return CUDA_SUCCESS;
  return status == cudaErrorNotReady ? CUDA_ERROR_NOT_READY : failed(name, status, arguments);
}

// The same for calls that need no context: queries of devices, and the definition of graphs.
template <class Call, class Fail>
inline CUresult entry_initialised(Call&& call, const api::Arguments<Fail>& arguments,
                                  const char* name = __builtin_FUNCTION()) {
  return entry<Needs::initialisation>(call, arguments, name);
}

// The same for launches, which call no entry point of the runtime.
template <class Call, class Fail>
inline CUresult entry_below(Call&& call, const api::Arguments<Fail>& arguments,
                            const char* name = __builtin_FUNCTION()) {
  return entry<Needs::context, NoScope>(call, arguments, name);
}

// The same for calls that work before cuInit.
template <class Call, class Fail>
inline CUresult entry_anytime(Call&& call, const api::Arguments<Fail>& arguments,
                              const char* name = __builtin_FUNCTION()) {
  return entry<Needs::nothing>(call, arguments, name);
}

// Runs `call`, which goes past the runtime's entry points, unless the thread may not use its device now.
template <class Call>
inline cudaError_t if_allowed(Call&& call) {
  const cudaError_t refused = api::refusal();
  return refused == cudaSuccess ? call() : refused;
}

inline void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

// Where the runtime stores an address that the driver call gives as a number.
inline void** output(CUdeviceptr* address) { return reinterpret_cast<void**>(address); }

}  // namespace reprise_runtime::driver

// Two entry points for each call that may use the default stream, as api/default_stream.h has them: `call` uses
// `default_stream`, or a parameter `hStream`. The version of the name is known before the ending is appended.
#define CALL_PTDS(name, parameters, names, call) CALL_PTDS_VERSIONED(name, parameters, names, call)
#define CALL_PTDS_VERSIONED(name, parameters, names, call)                        \
  CUresult name parameters {                                                      \
    const CUstream default_stream = nullptr;                                      \
    return reprise_runtime::driver::entry([&] { return call; }, ARGUMENTS names); \
  }                                                                               \
  REPRISE_EXPORT CUresult name##_ptds parameters {                                \
    const CUstream default_stream = CU_STREAM_PER_THREAD;                         \
    return reprise_runtime::driver::entry([&] { return call; }, ARGUMENTS names); \
  }
#define CALL_PTSZ(name, parameters, names, call) CALL_PTSZ_VERSIONED(name, parameters, names, call)
#define CALL_PTSZ_VERSIONED(name, parameters, names, call)                        \
  CUresult name parameters {                                                      \
    return reprise_runtime::driver::entry([&] { return call; }, ARGUMENTS names); \
  }                                                                               \
  REPRISE_EXPORT CUresult name##_ptsz parameters {                                \
    if (!hStream) hStream = CU_STREAM_PER_THREAD;                                 \
    return reprise_runtime::driver::entry([&] { return call; }, ARGUMENTS names); \
  }
