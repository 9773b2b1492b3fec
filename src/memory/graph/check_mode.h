// REPRISE_CHECK=memory: touching graph memory outside its lifetime faults, and the log names the node.
// Thread safety: all functions may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::memory {

// Whether REPRISE_CHECK names `memory`. Read once.
bool checks_memory();

constexpr std::size_t round_to_pages(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

// Allows or forbids access to [start, start + bytes), which are whole pages in this mode.
void protect(std::uintptr_t start, std::size_t bytes, bool accessible);

}  // namespace reprise_runtime::memory
