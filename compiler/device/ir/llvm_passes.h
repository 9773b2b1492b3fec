// Runs LLVM's own passes with this compiler's target and vector library.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

llvm::TargetLibraryInfoImpl target_library(const DeviceModule& module);

// `pipeline` has the syntax of opt -passes=.
void run_llvm_passes(DeviceModule& module, llvm::StringRef pipeline);
void run_llvm_passes(DeviceModule& module, llvm::Function& function, llvm::StringRef pipeline);
void run_default_pipeline(DeviceModule& module, unsigned level);

}  // namespace reprise_compiler::device
