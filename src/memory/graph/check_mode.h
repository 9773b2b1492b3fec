// REPRISE_CHECK=memory: touching graph memory outside its life faults, and the log tells which node touched what.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::memory {

// Whether REPRISE_CHECK names `memory`. Read once.
bool checks_memory();

constexpr std::size_t round_to_pages(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

// Access to the pages of [start, start + bytes), which are whole pages while memory is checked.
void protect(std::uintptr_t start, std::size_t bytes, bool accessible);

}  // namespace reprise_runtime::memory
