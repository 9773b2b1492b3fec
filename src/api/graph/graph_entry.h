// Entry points of calls that define graphs. They use no device, so they work after a fault.
#pragma once

#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::api {

// Calls call(*parameters), or refuses null parameters.
template <class Parameters, class Call, class Fail>
inline cudaError_t graph_entry_with(Parameters* parameters, Call&& call, const Arguments<Fail>& arguments,
                                    const char* name = __builtin_FUNCTION()) {
  return entry_always(
      [&] {
        if (!parameters) return diagnose::refuse(cudaErrorInvalidValue, "the parameters are null");
        return call(*parameters);
      },
      arguments, name);
}

}  // namespace reprise_runtime::api
