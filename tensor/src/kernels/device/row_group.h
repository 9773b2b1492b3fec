// Groups of threads that process one row of a matrix each. On a GPU, a group is a warp for short rows and a block for
// long ones; on the CPU device it is one thread, whose loop along the row is vectorised. threadIdx.y is the index of
// the group within its block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/device/dependent_launch.h"

namespace reprise::kernels {

struct AddOperation {
  static constexpr float identity = 0;
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct MaxOperation {
  static constexpr float identity = -__builtin_huge_valf();
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <int width>
struct RowGroup {
  static_assert(width == 1 || width == 32 || width == 256, "a thread, a warp or a block");
  static constexpr int rows = width == 1 ? 8 : 256 / width;

  static dim3 block() { return dim3(width, rows); }
  static unsigned blocks(std::int64_t count) { return static_cast<unsigned>((count + rows - 1) / rows); }

  __device__ static std::int64_t row() { return std::int64_t(blockIdx.x) * rows + threadIdx.y; }

  // Calls each(i) for the columns of this thread, which are the same in every call.
  template <class Each>
  __device__ static void for_each(int columns, Each each) {
    for (int i = width == 1 ? 0 : threadIdx.x; i < columns; i += width) each(i);
  }

  // Returns the sum (or maximum) of term(i) to all threads of the group. The order of the additions is fixed.
  template <class Term>
  __device__ static float sum(int columns, Term term) {
    return combine(columns, term, AddOperation());
  }
  template <class Term>
  __device__ static float max(int columns, Term term) {
    return combine(columns, term, MaxOperation());
  }

 private:
  template <class Term, class Operation>
  __device__ static float combine(int columns, Term term, Operation operation) {
    if (width == 1) return alone(columns, term, operation);
    float value = Operation::identity;
    for_each(columns, [&](int i) { value = operation(value, term(i)); });
    return together(value, operation);
  }

  // Eight partial sums: the compiler must not reorder a single chain of additions to vectorise it.
  template <class Term, class Operation>
  __device__ static float alone(int columns, Term term, Operation operation) {
    constexpr int lanes = 8;
    float values[lanes];
#pragma unroll
    for (int k = 0; k < lanes; ++k) values[k] = Operation::identity;
    int i = 0;
    for (; i + lanes <= columns; i += lanes) {
#pragma unroll
      for (int k = 0; k < lanes; ++k) values[k] = operation(values[k], term(i + k));
    }
    float value = Operation::identity;
    for (; i < columns; ++i) value = operation(value, term(i));
#pragma unroll
    for (int k = 0; k < lanes; ++k) value = operation(value, values[k]);
    return value;
  }

  template <class Operation>
  __device__ static float together(float value, Operation operation) {
    for (int distance = 16; distance > 0; distance /= 2)
      value = operation(value, __shfl_xor_sync(0xffffffffu, value, distance));
    if (width <= 32) return value;
    __shared__ float parts[8];
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[0];
    for (int i = 1; i < 8; ++i) value = operation(value, parts[i]);
    return value;
  }
};

#ifdef REPRISE_GPU
using ShortRow = RowGroup<32>;
using LongRow = RowGroup<256>;
#else
using ShortRow = RowGroup<1>;
using LongRow = RowGroup<1>;
#endif
// Rows longer than this get a whole block.
constexpr std::int64_t longest_short_row = 1024;

// Launches kernel<Group>(arguments..., rows, columns), which must begin with wait_for_prior_grids(). `short_rows` and
// `long_rows` are its instances for the two kinds of groups.
template <class... Parameters, class... Arguments>
void launch_rows(const char* operation, void (*short_rows)(Parameters...), void (*long_rows)(Parameters...),
                 std::int64_t rows, std::int64_t columns, Arguments... arguments) {
  if (rows == 0) return;
  check(columns < (std::int64_t(1) << 31), operation, ": rows of ", columns, " elements; at most 2^31 - 1");
  if (columns <= longest_short_row) {
    launch_dependent(operation, short_rows, {ShortRow::blocks(rows), ShortRow::block()}, arguments..., rows,
                     static_cast<int>(columns));
  } else {
    launch_dependent(operation, long_rows, {LongRow::blocks(rows), LongRow::block()}, arguments..., rows,
                     static_cast<int>(columns));
  }
}

}  // namespace reprise::kernels
