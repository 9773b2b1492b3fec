// Device variables: registered in the address map, so that copies and pointer queries treat them as device memory, and
// with their initial values stored, so that a device reset can restore them.
// Thread safety: all calls may be made from any thread.
#pragma once

#include <cstddef>

namespace reprise_runtime::memory {

void add_variable(void* address, std::size_t size, bool managed);
void remove_variable(void* address);

// Restores the initial values of all variables. No work may be using them.
void restore_variables();

}  // namespace reprise_runtime::memory
