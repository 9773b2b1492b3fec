// A launch of a kernel.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "kernel/launch_attributes.h"
#include "kernel/launch_shape.h"
#include "op/context.h"
#include "op/parameter_block.h"

namespace reprise_runtime::op {

struct Kernel {
  const kernel::Function* function = nullptr;
  kernel::LaunchShape shape;
  kernel::LaunchAttributes attributes;
  ParameterBlock parameters;

  // Validates and copies the arguments. `function` is a host stub or a function handle.
  static Result<Kernel> build(const void* function, const kernel::LaunchShape& shape, size_t dynamic_shared,
                              void* const* arguments, kernel::LaunchAttributes attributes = {});

  void run(const Context& context) const;
};

}  // namespace reprise_runtime::op
