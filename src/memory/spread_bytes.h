// Cuts work on many bytes into pieces and runs them on as many cores as it is worth.
#pragma once

#include <algorithm>
#include <cstddef>

namespace reprise::memory {

// Less than this is done sooner by one core than another could be told about it.
constexpr std::size_t spread_threshold = std::size_t{512} << 10;
// Large enough that the cost of a piece is in its bytes, small enough that cores finish together. Whole pages, so
// that no two cores write to one.
constexpr std::size_t piece_bytes = std::size_t{256} << 10;

// work(begin, end) over [0, bytes).
template <class Work>
void spread_bytes(std::size_t bytes, const Work& work) {
  if (bytes < spread_threshold) return work(0, bytes);
  for (std::size_t begin = 0; begin < bytes; begin += piece_bytes) work(begin, std::min(bytes, begin + piece_bytes));
}

// work(first_row, last_row) over [0, rows), each of `row_bytes`.
template <class Work>
void spread_rows(std::size_t rows, std::size_t row_bytes, const Work& work) {
  if (rows * row_bytes < spread_threshold) return work(0, rows);
  const std::size_t step = std::max<std::size_t>(1, piece_bytes / row_bytes);
  for (std::size_t begin = 0; begin < rows; begin += step) work(begin, std::min(rows, begin + step));
}

}  // namespace reprise::memory
