#pragma once

#include "kernel/kernel_abi.h"

namespace bench {

// Returns a kernel whose mangled name contains `part_of_name`, or nullptr.
const reprise_kernel* find_kernel(const char* part_of_name);

}  // namespace bench
