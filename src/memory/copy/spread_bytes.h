// Divides work on many bytes into pieces and runs them on several cores if that is faster.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/tuning.h"
#include "exec/spread.h"

namespace reprise_runtime::memory {

// Calls work(begin, end) over [0, bytes).
template <class Work>
void spread_bytes(std::size_t bytes, const Work& work) {
  if (bytes < tuning::spread_threshold) return work(0, bytes);
  const std::size_t pieces = (bytes + tuning::piece_bytes - 1) / tuning::piece_bytes;
  exec::spread(pieces, tuning::piece_bytes * tuning::ns_per_byte, 2, [&](std::uint64_t begin, std::uint64_t end) {
    work(begin * tuning::piece_bytes, std::min<std::size_t>(bytes, end * tuning::piece_bytes));
  });
}

// Calls work(first_row, after_last_row) over [0, rows), each of `row_bytes`.
template <class Work>
void spread_rows(std::size_t rows, std::size_t row_bytes, const Work& work) {
  if (rows * row_bytes < tuning::spread_threshold) return work(0, rows);
  const std::size_t smallest = std::max<std::size_t>(1, 2 * tuning::piece_bytes / row_bytes);
  exec::spread(rows, static_cast<double>(row_bytes) * tuning::ns_per_byte, smallest, work);
}

}  // namespace reprise_runtime::memory
