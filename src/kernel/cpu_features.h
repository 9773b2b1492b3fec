// Whether this machine's processor has what a module's code uses.
#pragma once

#include <cstdint>
#include <string>

namespace reprise_runtime::kernel {

// The names of those of `features` (reprise_module::cpu_features) that the processor lacks; empty when it has all.
std::string missing_cpu_features(uint32_t features);

}  // namespace reprise_runtime::kernel
