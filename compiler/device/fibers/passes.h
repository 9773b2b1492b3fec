// The pass that runs each thread as a fiber. fibers/lower_to_fibers.cpp describes it.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void lower_to_fibers(DeviceModule& module);

}  // namespace reprise_compiler::device
