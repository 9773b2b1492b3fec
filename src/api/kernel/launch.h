// A kernel's launch into a stream, as the runtime and the driver API ask for it.
#pragma once

#include <driver_types.h>

#include "kernel/launch_attributes.h"
#include "kernel/launch_shape.h"

namespace reprise_runtime::api {

// `function` is a host stub or a function handle, `caller` the code that reports of faults name as the launch.
[[nodiscard]] cudaError_t launch(const void* function, const kernel::LaunchShape& shape, void** arguments,
                                 size_t shared, cudaStream_t handle, const void* caller,
                                 kernel::LaunchAttributes attributes = {});

}  // namespace reprise_runtime::api
