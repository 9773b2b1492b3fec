// Limits the code that inlining creates. Each level of a function that calls the level below twice doubles the code, so
// that twenty levels of templates would not end.
#pragma once

#include <vector>

#include "ir/device_module.h"

namespace reprise_compiler::device {

// Functions to leave as calls so that every kernel stays within the budget. Functions that synchronize come
// last: a kernel that calls one runs as fibers. Empty for all but extreme modules.
std::vector<llvm::Function*> functions_over_inline_budget(DeviceModule& module);

}  // namespace reprise_compiler::device
