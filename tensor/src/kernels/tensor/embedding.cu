#include "kernels/device/column_grid.h"
#include "kernels/device/dependent_launch.h"
#include "kernels/device/device_error.h"
#include "kernels/tensor/embedding.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"

namespace reprise::kernels {
namespace {

__global__ void gather_rows(float* to, const std::int64_t* indices, const float* table, std::int64_t rows,
                            unsigned size, unsigned count, DeviceError* error, const char* out_of_range) {
  wait_for_prior_grids();
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= size) return;
  for (unsigned i = blockIdx.y; i < count; i += gridDim.y) {
    const std::int64_t index = indices[i];
    const bool inside = index >= 0 && index < rows;
    to[std::size_t(i) * size + column] = inside ? table[index * size + column] : NAN;
    if (!inside && column == 0) report_out_of_range(error, out_of_range, index, rows);
  }
}

#ifdef REPRISE_GPU
constexpr unsigned threads = 128;

dim3 scattering_blocks(std::int64_t rows, std::int64_t size) {
  return dim3(static_cast<unsigned>(rows), static_cast<unsigned>((size + threads - 1) / threads));
}

// One block per row of the table searches the indices for it, so that no two blocks write to the same address.
__global__ void scatter_rows(float* to, const float* grad, const std::int64_t* indices, std::int64_t count,
                             std::int64_t, std::int64_t size) {
  wait_for_prior_grids();
  const std::int64_t row = blockIdx.x, column = std::int64_t(blockIdx.y) * blockDim.x + threadIdx.x;
  if (column >= size) return;
  float sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (indices[i] == row) sum += grad[i * size + column];
  }
  to[row * size + column] = sum;
}
#else
constexpr unsigned threads = 1;
constexpr int columns_of_thread = 16;

dim3 scattering_blocks(std::int64_t, std::int64_t size) {
  return dim3(static_cast<unsigned>((size + columns_of_thread - 1) / columns_of_thread));
}

template <class Columns>
__device__ void scatter_columns(float* __restrict__ to, const float* __restrict__ grad, const std::int64_t* indices,
                                std::int64_t count, std::int64_t rows, std::int64_t size, Columns columns) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (int c = 0; c < columns(); ++c) to[row * size + c] = 0;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t row = indices[i];
    if (row < 0 || row >= rows) continue;
    for (int c = 0; c < columns(); ++c) to[row * size + c] += grad[i * size + c];
  }
}

// Each thread owns some columns of the whole table and visits all indices, so that no two threads write to the same
// address.
__global__ void scatter_rows(float* to, const float* grad, const std::int64_t* indices, std::int64_t count,
                             std::int64_t rows, std::int64_t size) {
  wait_for_prior_grids();
  const std::int64_t first = std::int64_t(blockIdx.x) * columns_of_thread, left = size - first;
  if (left >= columns_of_thread) {
    scatter_columns(to + first, grad + first, indices, count, rows, size, [] { return columns_of_thread; });
  } else {
    scatter_columns(to + first, grad + first, indices, count, rows, size, [left] { return static_cast<int>(left); });
  }
}
#endif

}  // namespace

Tensor embedding(const Tensor& indices, const Tensor& weight) {
  check(indices.dtype() == DType::i64, "embedding: indices are i64, not ", indices.dtype(), " of ", indices.sizes());
  check(weight.dim() == 2, "embedding: expects a table [rows, size], not ", weight.sizes());
  const Tensor table = single_precision(weight, "embedding"), places = contiguous(indices);
  Sizes sizes = indices.sizes();
  sizes.push_back(weight.size(1));
  Tensor result = empty(sizes);
  if (result.numel() > 0) {
    const ColumnGrid grid(places.numel(), weight.size(1));
    launch_dependent("embedding", gather_rows, {grid.blocks, grid.threads}, result.data<float>(),
                     places.data<std::int64_t>(), table.data<float>(), weight.size(0), grid.columns, grid.rows,
                     device_error(), "embedding: index");
  }
  return to(result, weight.dtype());
}

Tensor embedding_backward(const Tensor& grad, const Tensor& indices, std::int64_t rows) {
  const std::int64_t count = indices.numel(), size = grad.sizes().back();
  check(grad.numel() == count * size, "embedding_backward: a gradient of ", grad.sizes(), " for indices of ",
        indices.sizes());
  const Tensor g = single_precision(grad, "embedding_backward"), places = contiguous(indices);
  Tensor result = empty({rows, size});
  if (result.numel() > 0) {
    launch_dependent("embedding_backward", scatter_rows, {scattering_blocks(rows, size), threads}, result.data<float>(),
                     g.data<float>(), places.data<std::int64_t>(), count, rows, size);
  }
  return to(result, grad.dtype());
}

}  // namespace reprise::kernels
