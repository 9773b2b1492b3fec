// Divides work on many bytes into pieces and runs them on several cores if that is faster.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "exec/spread.h"

namespace reprise_runtime::memory {

// Smaller work fits one core's cache, from which another core would have to fetch it.
constexpr std::size_t spread_threshold = std::size_t{2} << 20;
// The smallest piece. Whole pages, so that no two cores write to the same page.
constexpr std::size_t piece_bytes = std::size_t{64} << 10;
// Approximate time per byte of uncached memory; only the order of magnitude matters.
constexpr double ns_per_byte = 0.1;

// Calls work(begin, end) over [0, bytes).
template <class Work>
void spread_bytes(std::size_t bytes, const Work& work) {
  if (bytes < spread_threshold) return work(0, bytes);
  const std::size_t pieces = (bytes + piece_bytes - 1) / piece_bytes;
  exec::spread(pieces, piece_bytes * ns_per_byte, 2, [&](std::uint64_t begin, std::uint64_t end) {
    work(begin * piece_bytes, std::min<std::size_t>(bytes, end * piece_bytes));
  });
}

// Calls work(first_row, after_last_row) over [0, rows), each of `row_bytes`.
template <class Work>
void spread_rows(std::size_t rows, std::size_t row_bytes, const Work& work) {
  if (rows * row_bytes < spread_threshold) return work(0, rows);
  const std::size_t smallest = std::max<std::size_t>(1, 2 * piece_bytes / row_bytes);
  exec::spread(rows, static_cast<double>(row_bytes) * ns_per_byte, smallest, work);
}

}  // namespace reprise_runtime::memory
