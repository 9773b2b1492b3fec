// The pass that turns the threads of a block into loops. regions/split_at_barriers.cpp describes it.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void split_at_barriers(DeviceModule& module);

}  // namespace reprise_compiler::device
