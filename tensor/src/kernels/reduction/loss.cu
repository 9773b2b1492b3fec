#include "kernels/device/column_grid.h"
#include "kernels/device/device_error.h"
#include "kernels/device/row_group.h"
#include "kernels/reduction/grid_sum.h"
#include "kernels/reduction/loss.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"

namespace reprise::kernels {
namespace {

// Which rows count, and by how much.
struct RowShare {
  std::int64_t ignored;  // rows of this class do not count
  float* share;          // one over the number of rows that count, in device memory; null if the loss is a sum
  bool known;  // whether `share` is computed already; otherwise each group counts, and the first one stores it

  template <class Group>
  __device__ float get(const std::int64_t* classes, std::int64_t rows) const {
    if (!share) return 1;
    if (known) return *share;
    const float own =
        1 / Group::sum(static_cast<int>(rows), [&](int i) { return classes[i] != ignored ? 1.0f : 0.0f; });
    if (Group::row() == 0 && threadIdx.x == 0) *share = own;
    return own;
  }
};

__global__ void count_rows(RowShare rule, const std::int64_t* classes, std::int64_t rows) {
  wait_for_prior_grids();
  __shared__ int counts[threads_per_block];
  int count = 0;
  for (std::int64_t i = threadIdx.x; i < rows; i += blockDim.x) count += classes[i] != rule.ignored;
  counts[threadIdx.x] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < threads_per_block; ++i) count += counts[i];
  *rule.share = 1 / static_cast<float>(count);
}

// If `gradient` is not null, stores the gradient of the whole loss in it.
template <class Group>
__global__ void cross_entropy_rows(float* losses, float* normalizers, float* gradient, const float* logits,
                                   const std::int64_t* classes, RowShare rule, DeviceError* error,
                                   const char* out_of_range, std::int64_t rows, int columns) {
  wait_for_prior_grids();
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  logits += row * columns;
  const float share = rule.get<Group>(classes, rows);
  const float most = Group::max(columns, [&](int i) { return logits[i]; });
  const float normalizer = most + logf(Group::sum(columns, [&](int i) { return expf(logits[i] - most); }));
  const std::int64_t own = classes[row];
  const bool counts = own != rule.ignored;
  if (gradient) {
    gradient += row * columns;
    const float factor = counts ? share : 0;
    Group::for_each(columns,
                    [&](int i) { gradient[i] = factor * (expf(logits[i] - normalizer) - (i == own ? 1.0f : 0.0f)); });
  }
  if (threadIdx.x != 0) return;
  const bool known = own >= 0 && own < columns;
  // If no row counts, the share is infinite and the loss NaN, as PyTorch's mean of nothing.
  losses[row] = !counts ? 0 * share : known ? share * (normalizer - logits[own]) : NAN;
  normalizers[row] = normalizer;
  if (counts && !known) report_out_of_range(error, out_of_range, own, columns);
}

__global__ void cross_entropy_gradient(float* to, const float* grad, const float* logits, const std::int64_t* classes,
                                       const float* normalizers, RowShare rule, unsigned columns, unsigned rows) {
  wait_for_prior_grids();
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const float scale = rule.share ? *grad * *rule.share : *grad;
  for (unsigned row = blockIdx.y; row < rows; row += gridDim.y) {
    const std::size_t i = std::size_t(row) * columns + column;
    const float probability = expf(logits[i] - normalizers[row]);
    const float difference = scale * (probability - (column == classes[row] ? 1.0f : 0.0f));
    to[i] = classes[row] == rule.ignored ? 0 : difference;
  }
}

struct Values {
  const float* x;
  __device__ float read(int i) const { return x[i]; }
  __device__ float term(int, float value) const { return value; }
};

struct SquaredDifferences {
  const float *x, *target;
  __device__ float read(int i) const { return x[i] - target[i]; }
  __device__ float term(int, float difference) const { return difference * difference; }
};

struct SquaredDifferencesAndGradient {
  const float *x, *target;
  float* gradient;
  float factor;
  __device__ float read(int i) const { return x[i] - target[i]; }
  __device__ float term(int i, float difference) const {
    gradient[i] = factor * difference;
    return difference * difference;
  }
};

__global__ void squared_error_gradient(float* to, const float* grad, const float* x, const float* target, float factor,
                                       std::int64_t n) {
  wait_for_prior_grids();
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = *grad * factor * (x[i] - target[i]);
}

float share(Reduction reduction, std::int64_t count) {
  return reduction == Reduction::mean ? 1.0f / static_cast<float>(count) : 1.0f;
}

void check_rows(const char* operation, const Tensor& logits, const Tensor& classes) {
  check(logits.dim() == 2 && classes.dim() == 1 && logits.size(0) == classes.size(0), operation,
        ": expects logits [rows, classes] and classes [rows], not ", logits.sizes(), " and ", classes.sizes());
  check(classes.dtype() == DType::i64, operation, ": classes are i64, not ", classes.dtype(), " of ", classes.sizes());
}

void check_same(const char* operation, const Tensor& x, const Tensor& target) {
  check(x.sizes() == target.sizes(), operation, ": a target of ", target.sizes(), " for ", x.sizes());
}

// Each group counts a few rows itself, which takes less time than a launch.
#ifdef REPRISE_GPU
constexpr std::int64_t most_counted_by_groups = 1024;
#else
constexpr std::int64_t most_counted_by_groups = 64;
#endif

RowShare share_of_rows(const Tensor& share, std::int64_t ignored) {
  return {ignored, share.defined() ? share.data<float>() : nullptr, true};
}

}  // namespace

CrossEntropy cross_entropy(const Tensor& logits, const Tensor& classes, const CrossEntropyRule& rule,
                           bool with_gradient) {
  check_rows("cross_entropy", logits, classes);
  const Tensor from = single_precision(logits, "cross_entropy"), places = contiguous(classes);
  const std::int64_t rows = logits.size(0), columns = logits.size(1);
  Tensor losses = empty({rows});
  CrossEntropy result{empty({}), empty({rows}), rule.reduction == Reduction::mean ? empty({}) : Tensor(),
                      with_gradient ? empty(logits.sizes()) : Tensor()};
  RowShare share = share_of_rows(result.share, rule.ignore_index);
  share.known = rows > most_counted_by_groups;
  if (share.share && (share.known || rows == 0)) {
    launch_dependent("cross_entropy", count_rows, {1, threads_per_block}, share, places.data<std::int64_t>(), rows);
  }
  launch_rows("cross_entropy", cross_entropy_rows<ShortRow>, cross_entropy_rows<LongRow>, rows, columns,
              losses.data<float>(), result.normalizers.data<float>(),
              with_gradient ? result.gradient.data<float>() : nullptr, from.data<float>(), places.data<std::int64_t>(),
              share, device_error(), "cross_entropy: class");
  grid_sum("cross_entropy", result.loss.data<float>(), Values{losses.data<float>()}, rows,
           rows == 0 && share.share ? NAN : 1);
  result.loss = to(result.loss, logits.dtype());
  if (with_gradient) result.gradient = to(result.gradient, logits.dtype());
  return result;
}

Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& classes,
                              const CrossEntropy& forward, const CrossEntropyRule& rule) {
  check_rows("cross_entropy_backward", logits, classes);
  const Tensor from = single_precision(logits, "cross_entropy_backward"), places = contiguous(classes),
               g = single_precision(grad, "cross_entropy_backward");
  Tensor result = empty(logits.sizes());
  if (result.numel() > 0) {
    const ColumnGrid grid(logits.size(0), logits.size(1));
    launch_dependent("cross_entropy_backward", cross_entropy_gradient, {grid.blocks, grid.threads},
                     result.data<float>(), g.data<float>(), from.data<float>(), places.data<std::int64_t>(),
                     forward.normalizers.data<float>(), share_of_rows(forward.share, rule.ignore_index), grid.columns,
                     grid.rows);
  }
  return to(result, logits.dtype());
}

Tensor squared_error(const Tensor& x, const Tensor& target, Reduction reduction) {
  check_same("mse_loss", x, target);
  const Tensor a = single_precision(x, "mse_loss"), b = single_precision(target, "mse_loss");
  Tensor loss = empty({});
  grid_sum("mse_loss", loss.data<float>(), SquaredDifferences{a.data<float>(), b.data<float>()}, x.numel(),
           share(reduction, x.numel()));
  return to(loss, x.dtype());
}

Tensor squared_error_backward(const Tensor& grad, const Tensor& x, const Tensor& target, Reduction reduction) {
  check_same("mse_loss_backward", x, target);
  const Tensor a = single_precision(x, "mse_loss_backward"), b = single_precision(target, "mse_loss_backward");
  const Tensor g = single_precision(grad, "mse_loss_backward");
  Tensor result = empty(x.sizes());
  if (const std::int64_t n = x.numel(); n > 0) {
    launch_dependent("mse_loss_backward", squared_error_gradient, {blocks_for(n), threads_per_block},
                     result.data<float>(), g.data<float>(), a.data<float>(), b.data<float>(), 2 * share(reduction, n),
                     n);
  }
  return to(result, x.dtype());
}

LossAndGradient squared_error_and_gradient(const Tensor& x, const Tensor& target, Reduction reduction) {
  check_same("mse_loss", x, target);
  const Tensor a = single_precision(x, "mse_loss"), b = single_precision(target, "mse_loss");
  LossAndGradient result{empty({}), empty(x.sizes())};
  const float factor = share(reduction, x.numel());
  grid_sum("mse_loss", result.loss.data<float>(),
           SquaredDifferencesAndGradient{a.data<float>(), b.data<float>(), result.gradient.data<float>(), 2 * factor},
           x.numel(), factor);
  result.loss = to(result.loss, x.dtype());
  result.gradient = to(result.gradient, x.dtype());
  return result;
}

}  // namespace reprise::kernels
