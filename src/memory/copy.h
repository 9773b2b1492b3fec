// Moves bytes: straight through the C library for what fits one core, over the cores for what does not.
#pragma once

#include <cstddef>

#include "memory/box.h"
#include "memory/care.h"

namespace reprise_runtime::memory {

// Overlapping ranges are copied as memmove would.
void copy_bytes(void* to, const void* from, std::size_t bytes, const Care& care = {});
void copy_box(const BoxCopy& box, const Care& care = {});

void fill_box(const BoxFill& box, const Care& care = {});

}  // namespace reprise_runtime::memory
