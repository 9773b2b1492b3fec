// Grids for kernels over a matrix with one thread per column, so that threads need no division to find their element.
// Each thread visits the rows blockIdx.y, blockIdx.y + gridDim.y, ...
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/device/launch.h"

namespace reprise::kernels {

struct ColumnGrid {
  unsigned rows, columns;
  dim3 blocks, threads;

  ColumnGrid(std::int64_t rows, std::int64_t columns)
      : rows(static_cast<unsigned>(rows)), columns(static_cast<unsigned>(columns)) {
    // No more threads than needed for the columns.
    const unsigned wide =
        columns >= threads_per_block ? threads_per_block : static_cast<unsigned>((columns + 31) / 32 * 32);
    threads = dim3(wide);
    blocks = dim3((this->columns + wide - 1) / wide, std::min(this->rows, 65535u));
  }
};

}  // namespace reprise::kernels
