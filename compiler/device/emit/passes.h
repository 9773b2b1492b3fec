// Passes that finish the module. Each is described in the file of its name;
// tool/pipeline.cpp has their order.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void add_debug_frames(DeviceModule& module);
void register_module(DeviceModule& module);
void optimise(DeviceModule& module);

}  // namespace reprise_compiler::device
