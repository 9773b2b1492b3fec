// Checks that the processor has the instruction sets that a module's code uses.
#pragma once

#include <cstdint>
#include <string>

namespace reprise_runtime::kernel {

// Returns the names of those `features` (reprise_module::cpu_features) that the processor lacks; empty if it has all.
std::string missing_cpu_features(uint32_t features);

}  // namespace reprise_runtime::kernel
