// Passes that turn an NVPTX module into an x86-64 one. Each is described in the file of its name;
// tool/pipeline.cpp has their order.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

void read_kernels(DeviceModule& module);
void retarget(DeviceModule& module);
void lower_address_spaces(DeviceModule& module);
void lower_inline_ptx(DeviceModule& module);
void lower_nvvm_intrinsics(DeviceModule& module);
void lower_libdevice(DeviceModule& module);
void define_arithmetic(DeviceModule& module);

}  // namespace reprise_compiler::device
