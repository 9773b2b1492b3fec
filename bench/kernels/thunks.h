#pragma once

#include "kernel/kernel_abi.h"

namespace bench {

// A kernel whose mangled name has this in it, or nullptr.
const reprise_kernel* find_kernel(const char* part_of_name);

}  // namespace bench
