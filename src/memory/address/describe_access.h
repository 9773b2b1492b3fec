// Describes an address that a fault has touched: the allocation that it is in, or the nearest one, and where the
// program allocated or freed it. Thread safety: may be called from any thread.
#pragma once

#include <string>

namespace reprise_runtime::memory {

// "400 bytes past the end of the 4096 bytes of device memory at 0x7f..., allocated by main+0x1c (...) at prog.cu:8"
std::string describe_access(const void* address);

}  // namespace reprise_runtime::memory
