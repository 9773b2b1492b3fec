// Calls a user's function on the host.
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

  // The function may block, while other work continues. It must not call the runtime.
  void run(const Context& context) const;
};

}  // namespace reprise_runtime::op
