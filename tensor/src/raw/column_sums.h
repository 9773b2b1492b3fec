// Sums over the rows of a matrix, column by column, in an order that never changes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "raw/launch.h"

namespace reprise::raw {

// terms.add(row, column, sums) adds up to `count` sums; sum k of column c goes to to[k * columns + c].
constexpr int column_sums_width = 32;

#ifdef REPRISE_GPU
constexpr int column_sums_height = 16;

// A block has 32 columns; its 16 lines of threads take every 16th row each.
template <int count, class Terms>
__global__ void column_sums_kernel(float* to, Terms terms, std::int64_t rows, std::int64_t columns) {
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
template <int count, class Terms, class Width>
__device__ void sum_columns(float* to, const Terms& terms, std::int64_t rows, std::int64_t columns, std::int64_t first, Width width) {
  float sums[column_sums_width][count] = {};
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int c = 0; c < width(); ++c) terms.add(row, first + c, sums[c]);
  }
  for (int k = 0; k < count; ++k) {
    for (int c = 0; c < width(); ++c) to[k * columns + first + c] = sums[c][k];
  }
}

// A block's only thread has 32 columns and goes down the rows: each is a few vectors.
template <int count, class Terms>
__global__ void column_sums_kernel(float* to, Terms terms, std::int64_t rows, std::int64_t columns) {
  const std::int64_t first = std::int64_t(blockIdx.x) * column_sums_width, left = columns - first;
  if (left >= column_sums_width) {
    sum_columns<count>(to, terms, rows, columns, first, [] { return column_sums_width; });
  } else {
    sum_columns<count>(to, terms, rows, columns, first, [left] { return static_cast<int>(left); });
  }
}

inline dim3 column_sums_threads() { return dim3(1); }
#endif

template <int count, class Terms>
void column_sums(const char* operation, float* to, const Terms& terms, std::int64_t rows, std::int64_t columns) {
  if (columns == 0) return;
  const unsigned blocks = static_cast<unsigned>((columns + column_sums_width - 1) / column_sums_width);
  column_sums_kernel<count><<<blocks, column_sums_threads(), 0, current_stream()>>>(to, terms, rows, columns);
  check_launch(operation);
}

}  // namespace reprise::raw
