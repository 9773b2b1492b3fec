// Rows of a matrix, each by a group of threads: a warp where rows are short, a block where they are long. The groups of a
// block stand side by side in threadIdx.y.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "raw/launch.h"

namespace reprise::raw {

struct AddOperation {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct MaxOperation {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <int width>
struct RowGroup {
  static_assert(width == 32 || width == 256, "a warp or a block");
  static constexpr int rows = 256 / width;

  static dim3 block() { return dim3(width, rows); }
  static unsigned blocks(std::int64_t count) { return static_cast<unsigned>((count + rows - 1) / rows); }

  __device__ static std::int64_t row() { return std::int64_t(blockIdx.x) * rows + threadIdx.y; }

  // All threads of the group get what their values come to together, combined in an order that never changes.
  template <class Operation>
  __device__ static float all(float value, Operation operation) {
    for (int distance = 16; distance > 0; distance /= 2) value = operation(value, __shfl_xor_sync(0xffffffffu, value, distance));
    if (width == 32) return value;
    __shared__ float parts[width / 32];
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[0];
    for (int i = 1; i < width / 32; ++i) value = operation(value, parts[i]);
    return value;
  }
  __device__ static float sum(float value) { return all(value, AddOperation()); }
  __device__ static float max(float value) { return all(value, MaxOperation()); }
};

// Longer rows are worth a block.
constexpr std::int64_t longest_row_of_warp = 1024;

// Launches kernel<RowGroup<...>>(arguments..., rows, columns): `short_rows` and `long_rows` are the two instances.
template <class... Parameters, class... Arguments>
void launch_rows(const char* operation, void (*short_rows)(Parameters...), void (*long_rows)(Parameters...), std::int64_t rows,
                 std::int64_t columns, Arguments... arguments) {
  if (rows == 0) return;
  if (columns <= longest_row_of_warp) {
    short_rows<<<RowGroup<32>::blocks(rows), RowGroup<32>::block(), 0, current_stream()>>>(arguments..., rows, columns);
  } else {
    long_rows<<<RowGroup<256>::blocks(rows), RowGroup<256>::block(), 0, current_stream()>>>(arguments..., rows, columns);
  }
  check_launch(operation);
}

}  // namespace reprise::raw
