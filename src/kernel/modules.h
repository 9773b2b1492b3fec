// What a module has, for callers that look by name: the kernels and variables that a translation unit's host half
// registered under the module's id.
#pragma once

#include <string_view>
#include <vector>

#include "kernel/registry.h"

namespace reprise_runtime::kernel {

// In the order of registration. Those of one module live until the process ends.
std::vector<const Function*> functions_of(std::string_view module_id);
// Null if the module has none of that name.
const Variable* variable_of(std::string_view module_id, std::string_view name);

}  // namespace reprise_runtime::kernel
