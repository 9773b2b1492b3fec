// Block sizes of small allocations: multiples of 512 bytes, four to each doubling, so that at most a fifth is lost.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace reprise_runtime::memory {

constexpr std::size_t smallest_block = 512;
constexpr std::size_t largest_block = 256 * 1024;  // anything larger is a span of its own

struct SizeClass {
  std::uint32_t index;
  std::uint32_t block_bytes;
};

constexpr SizeClass size_class_of(std::size_t bytes) {
  if (bytes <= 4 * smallest_block) {
    const auto units = static_cast<std::uint32_t>((bytes + smallest_block - 1) / smallest_block);
    const std::uint32_t blocks = units == 0 ? 1 : units;
    return {blocks - 1, blocks * static_cast<std::uint32_t>(smallest_block)};
  }
  // (step, 2 step] is cut into four; `doubling` counts from the one that starts at 2048.
  const unsigned log = std::bit_width(bytes - 1) - 1;
  const unsigned doubling = log - 11;
  const std::uint32_t quarter = std::uint32_t{1} << (log - 2);
  const auto quarters = static_cast<std::uint32_t>((bytes - (std::size_t{1} << log) + quarter - 1) / quarter);
  return {4 + doubling * 4 + quarters - 1, (std::uint32_t{1} << log) + quarters * quarter};
}

constexpr std::size_t size_class_count = size_class_of(largest_block).index + 1;

}  // namespace reprise_runtime::memory
