// Passes on the code that runs the threads of a block and the blocks of a grid. Each is described in the file of its
// name; tool/pipeline.cpp has their order.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void lower_to_thread_loops(DeviceModule& module);
void specialise_block_shape(DeviceModule& module);
void unroll_around_threads(DeviceModule& module);

}  // namespace reprise_compiler::device
