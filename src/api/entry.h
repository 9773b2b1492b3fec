// What every entry point does around its one call: refuse what this thread or device may not do now, and record the
// last error.
//
//   cudaError_t cudaStreamQuery(cudaStream_t stream) {
//     return api::entry([&] { return stream::query(stream); });
//   }
#pragma once

#include "base/host_function_scope.h"
#include "base/last_error.h"

namespace reprise::api {

// Why the calling thread may not use its current device now: it runs a host function, or the device had a fault.
inline cudaError_t refusal() {
  if (in_host_function()) [[unlikely]] return cudaErrorNotPermitted;
  return sticky_error(current_device());
}

template <class Call>
inline cudaError_t entry(Call&& call) {
  if (cudaError_t refused = refusal(); refused != cudaSuccess) [[unlikely]] return record_error(refused);
  return record_error(call());
}

}  // namespace reprise::api
