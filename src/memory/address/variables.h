// Device variables: in the map of addresses, so that copies and pointer queries take them for device memory, and with
// their initial values kept, so that a reset of the device can bring them back.
// Thread safety: all calls, from anywhere.
#pragma once

#include <cstddef>

namespace reprise_runtime::memory {

void add_variable(void* address, std::size_t size, bool managed);
void remove_variable(void* address);

// All variables as they were when the program started. Nothing may be using them.
void restore_variables();

}  // namespace reprise_runtime::memory
