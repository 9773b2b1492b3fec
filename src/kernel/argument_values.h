// Shows the arguments of a launch with the types that the kernel's author wrote.
#pragma once

#include <string>

#include "kernel/function.h"

namespace reprise_runtime::kernel {

// "int* = 0x7f10c0e00000, int = 1024, Options = 24 bytes 01 00 ..." of a packed parameter buffer.
std::string describe_arguments(const Function& function, const void* params);

}  // namespace reprise_runtime::kernel
