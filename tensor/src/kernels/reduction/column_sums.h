// Column sums of a matrix. The order of the additions is fixed.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/device/dependent_launch.h"

namespace reprise::kernels {

// terms.add(row, column, sums) adds to `count` sums; sum k of column c is stored in to[k * columns + c].
constexpr int column_sums_width = 32;

#ifdef REPRISE_GPU
constexpr int column_sums_height = 16;

// A block processes 32 columns; each of its 16 lines of threads processes every 16th row.
template <int count, class Terms>
__global__ void column_sums_kernel(float* to, Terms terms, std::int64_t rows, std::int64_t columns) {
  wait_for_prior_grids();
  static_assert(count <= column_sums_height, "a line of threads finishes each sum");
  __shared__ float parts[count][column_sums_height][column_sums_width];
  const std::int64_t column = std::int64_t(blockIdx.x) * column_sums_width + threadIdx.x;
  float sums[count] = {};
  if (column < columns)
    for (std::int64_t row = threadIdx.y; row < rows; row += column_sums_height) terms.add(row, column, sums);
  for (int k = 0; k < count; ++k) parts[k][threadIdx.y][threadIdx.x] = sums[k];
  __syncthreads();
  if (threadIdx.y >= count || column >= columns) return;
  float sum = 0;
  for (int line = 0; line < column_sums_height; ++line) sum += parts[threadIdx.y][line][threadIdx.x];
  to[threadIdx.y * columns + column] = sum;
}

inline dim3 column_sums_threads() { return dim3(column_sums_width, column_sums_height); }
#else
// Sums `lanes` columns from `first`; with eight lanes a row is one vector.
template <int count, int lanes, class Terms>
__device__ void sum_columns(float* to, const Terms& terms, std::int64_t rows, std::int64_t columns,
                            std::int64_t first) {
  float sums[count][lanes];
#pragma unroll
  for (int k = 0; k < count; ++k) {
#pragma unroll
    for (int c = 0; c < lanes; ++c) sums[k][c] = 0;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
#pragma unroll
    for (int c = 0; c < lanes; ++c) {
      float own[count];
#pragma unroll
      for (int k = 0; k < count; ++k) own[k] = sums[k][c];
      terms.add(row, first + c, own);
#pragma unroll
      for (int k = 0; k < count; ++k) sums[k][c] = own[k];
    }
  }
#pragma unroll
  for (int k = 0; k < count; ++k) {
#pragma unroll
    for (int c = 0; c < lanes; ++c) to[k * columns + first + c] = sums[k][c];
  }
}

// A block is one thread, which sums 32 columns, eight at a time.
template <int count, class Terms>
__global__ void column_sums_kernel(float* to, Terms terms, std::int64_t rows, std::int64_t columns) {
  wait_for_prior_grids();
  std::int64_t column = std::int64_t(blockIdx.x) * column_sums_width;
  const std::int64_t end = columns < column + column_sums_width ? columns : column + column_sums_width;
  for (; column + 8 <= end; column += 8) sum_columns<count, 8>(to, terms, rows, columns, column);
  for (; column < end; ++column) sum_columns<count, 1>(to, terms, rows, columns, column);
}

inline dim3 column_sums_threads() { return dim3(1); }
#endif

template <int count, class Terms>
void column_sums(const char* operation, float* to, const Terms& terms, std::int64_t rows, std::int64_t columns) {
  if (columns == 0) return;
  const unsigned blocks = static_cast<unsigned>((columns + column_sums_width - 1) / column_sums_width);
  launch_dependent(operation, column_sums_kernel<count, Terms>, {blocks, column_sums_threads()}, to, terms, rows,
                   columns);
}

}  // namespace reprise::kernels
