// The pipeline of passes.
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

// Runs the passes, each followed by LLVM's verifier. Returns false if --stop-after ended the run early.
bool run_pipeline(DeviceModule& module);

}  // namespace reprise_compiler::device
