// Fills memory with a repeated pattern of 2 or 4 bytes as fast as memset does with one byte.
#pragma once

#include <cstddef>
#include <cstdint>

namespace reprise_runtime::memory {

// `pattern` is four bytes long (two-byte values twice); `bytes` need not be a multiple of that.
void fill_pattern(char* to, std::size_t bytes, std::uint32_t pattern);

}  // namespace reprise_runtime::memory
