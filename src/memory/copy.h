// Moves bytes: straight through the C library for what fits one core, over the cores for what does not.
#pragma once

#include <cstddef>

#include "memory/box.h"

namespace reprise::memory {

// Overlapping ranges are copied as memmove would.
void copy_bytes(void* to, const void* from, std::size_t bytes);
void copy_box(const BoxCopy& box);

void fill_box(const BoxFill& box);

}  // namespace reprise::memory
