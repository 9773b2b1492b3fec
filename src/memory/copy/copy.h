// Copies and fills memory: small amounts on the calling thread through the C library, large ones on several cores.
// Thread safety: all functions may be called from any thread.
#pragma once

#include <cstddef>

#include "memory/copy/box.h"
#include "memory/copy/fault_guard.h"

namespace reprise_runtime::memory {

// Overlapping ranges are copied as by memmove.
void copy_bytes(void* to, const void* from, std::size_t bytes, const FaultGuard& guard = {});
void copy_box(const BoxCopy& box, const FaultGuard& guard = {});

void fill_box(const BoxFill& box, const FaultGuard& guard = {});

}  // namespace reprise_runtime::memory
