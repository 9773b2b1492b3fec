// Remarks about how a kernel is run (--remarks).
#pragma once

#include <llvm/IR/DebugLoc.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

void remark(const DeviceModule& module, const Kernel& kernel, const llvm::DebugLoc& where, const std::string& text);

}  // namespace reprise_compiler::device
