// Moves bytes: straight through the C library for what fits one core, over the cores for what does not.
#pragma once

#include <cstddef>

#include "memory/copy/box.h"
#include "memory/copy/fault_guard.h"

namespace reprise_runtime::memory {

// Overlapping ranges are copied as memmove would.
void copy_bytes(void* to, const void* from, std::size_t bytes, const FaultGuard& guard = {});
void copy_box(const BoxCopy& box, const FaultGuard& guard = {});

void fill_box(const BoxFill& box, const FaultGuard& guard = {});

}  // namespace reprise_runtime::memory
