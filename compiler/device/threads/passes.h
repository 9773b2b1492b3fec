// Passes that prepare what one thread runs. Each is described in the file of its name;
// tool/pipeline.cpp has their order.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void inline_functions(DeviceModule& module);
void resolve_space_queries(DeviceModule& module);
void lower_thread_exits(DeviceModule& module);
void preserve_lockstep(DeviceModule& module);
void add_thread_arguments(DeviceModule& module);
void declare_debug_indices(DeviceModule& module);
void mark_spin_loops(DeviceModule& module);
void mark_timed_waits(DeviceModule& module);
void guess_block_shape(DeviceModule& module);
void allocate_shared_memory(DeviceModule& module);
void lower_space_queries(DeviceModule& module);

}  // namespace reprise_compiler::device
