// A call of a user's function on the host, in its place in the work.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "diagnose/refuse.h"
#include "op/context.h"

namespace reprise_runtime::op {

struct HostFunction {
  cudaHostFn_t function = nullptr;
  void* user_data = nullptr;

  static Result<HostFunction> build(cudaHostFn_t function, void* user_data) {
    if (!function) return diagnose::refuse(cudaErrorInvalidValue, "the function is null");
    return HostFunction{function, user_data};
  }

  // It may block: other work goes on. It may not call the runtime.
  void run(const Context& context) const;
};

}  // namespace reprise_runtime::op
