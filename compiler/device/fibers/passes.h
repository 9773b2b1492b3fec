// The pass that runs each thread as a fiber. Each is described in the file of its name;
// tool/pipeline.cpp has their order.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void lower_to_fibers(DeviceModule& module);

}  // namespace reprise_compiler::device
