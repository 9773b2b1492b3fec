// Sizes of blocks and segments.
#pragma once

#include <cstddef>

namespace reprise {

constexpr std::size_t granule = 512;
constexpr std::size_t mebibyte = 1 << 20;
// Requests up to this size use separate segments.
constexpr std::size_t largest_small = mebibyte;

inline std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

inline std::size_t segment_bytes(std::size_t bytes) {
  if (bytes <= largest_small) return 2 * mebibyte;
  if (bytes < 10 * mebibyte) return 20 * mebibyte;
  return round_up(bytes, 2 * mebibyte);
}

}  // namespace reprise
