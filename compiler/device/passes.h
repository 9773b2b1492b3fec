// The passes, in the order of pipeline.cpp. Each is described, with a drawing, in the file of its name.
#pragma once

#include "device_module.h"

namespace reprise_compiler::device {

void read_kernels(DeviceModule& module);
void retarget(DeviceModule& module);
void lower_address_spaces(DeviceModule& module);
void translate_inline_ptx(DeviceModule& module);
void lower_nvvm_intrinsics(DeviceModule& module);
void map_maths(DeviceModule& module);
void define_arithmetic(DeviceModule& module);
void inline_functions(DeviceModule& module);
void lower_thread_exits(DeviceModule& module);
void keep_warps_in_step(DeviceModule& module);
void declare_indices(DeviceModule& module);
void mark_spin_loops(DeviceModule& module);
void pass_thread_context(DeviceModule& module);
void split_at_barriers(DeviceModule& module);
void lower_to_thread_loops(DeviceModule& module);
void specialise_for_shape(DeviceModule& module);
void lower_to_fibers(DeviceModule& module);
void give_debug_frames(DeviceModule& module);
void unroll_around_threads(DeviceModule& module);
void guess_shapes(DeviceModule& module);
void place_shared_memory(DeviceModule& module);
void register_module(DeviceModule& module);
void optimise(DeviceModule& module);

}  // namespace reprise_compiler::device
