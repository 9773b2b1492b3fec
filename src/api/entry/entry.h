// What every entry point does around its one call: refuse what this thread or device may not do now, record the last
// error, and log why the call failed, with its arguments.
//
//   cudaError_t cudaStreamQuery(cudaStream_t stream) {
//     return api::entry([&] { return stream::query(stream); }, ARGUMENTS(stream));
//   }
//
// Thread safety: all calls may be made from any thread.
#pragma once

#include <new>

#include "api/entry/argument_text.h"
#include "base/host_function_scope.h"
#include "base/last_error.h"
#include "base/runtime_use.h"
#include "diagnose/refuse.h"
#include "diagnose/trace.h"

namespace reprise_runtime::api {

// Why the calling thread may not use its current device now: it runs a host function, or the device had a fault.
inline cudaError_t refusal() {
  if (in_host_function()) [[unlikely]]
    return cudaErrorNotPermitted;
  return sticky_error(current_device());
}

// For the few calls that work inside host functions too. `arguments` comes from ARGUMENTS(...) and is for the log.
template <class Call, class Fail>
inline cudaError_t entry_anywhere(Call&& call, const Arguments<Fail>& arguments,
                                  const char* name = __builtin_FUNCTION()) {
  diagnose::CallScope traced(name);
  cudaError_t status;
  try {
    status = call();
  } catch (const std::bad_alloc&) {
    status = cudaErrorMemoryAllocation;
  }
  // Not ready is an answer, not a mistake: CUDA does not keep it either.
  if (status == cudaSuccess || status == cudaErrorNotReady) return status;
  return arguments.fail(name, status);
}

// For calls that work on a device with a fault too, and for those that check their arguments first.
template <class Call, class Fail>
inline cudaError_t entry_always(Call&& call, const Arguments<Fail>& arguments,
                                const char* name = __builtin_FUNCTION()) {
  note_runtime_use();
  if (in_host_function()) [[unlikely]]
    return arguments.fail(name, cudaErrorNotPermitted);
  if (cudaError_t hidden = hidden_devices_error(); hidden != cudaSuccess) [[unlikely]]
    return arguments.fail(name, diagnose::refuse(hidden, "CUDA_VISIBLE_DEVICES shows no device"));
  return entry_anywhere(call, arguments, name);
}

// `name` is the entry point that calls.
template <class Call, class Fail>
inline cudaError_t entry(Call&& call, const Arguments<Fail>& arguments, const char* name = __builtin_FUNCTION()) {
  if (cudaError_t refused = refusal(); refused != cudaSuccess) [[unlikely]]
    return arguments.fail(name, refused);
  return entry_always(call, arguments, name);
}

// For calls that report wrong arguments before a fault of the device: `check` looks at the arguments.
template <class Check, class Call, class Fail>
inline cudaError_t entry_after(Check&& check, Call&& call, const Arguments<Fail>& arguments,
                               const char* name = __builtin_FUNCTION()) {
  return entry_always(
      [&] {
        if (cudaError_t status = check(); status != cudaSuccess) return status;
        if (cudaError_t fault = sticky_error(current_device()); fault != cudaSuccess) return fault;
        return call();
      },
      arguments, name);
}

}  // namespace reprise_runtime::api
