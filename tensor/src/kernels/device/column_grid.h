// Grids for kernels over a matrix whose threads stand side by side along its columns, so that none has to divide to
// find its own; each goes down the rows with blockIdx.y, in steps of gridDim.y.
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
    // Not many more threads than columns: the others would have nothing to do.
    const unsigned wide =
        columns >= threads_per_block ? threads_per_block : static_cast<unsigned>((columns + 31) / 32 * 32);
    threads = dim3(wide);
    blocks = dim3((this->columns + wide - 1) / wide, std::min(this->rows, 65535u));
  }
};

}  // namespace reprise::kernels
