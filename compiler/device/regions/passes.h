// The pass that turns the threads of a block into loops. Each is described in the file of its name;
// tool/pipeline.cpp has their order.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void split_at_barriers(DeviceModule& module);

}  // namespace reprise_compiler::device
