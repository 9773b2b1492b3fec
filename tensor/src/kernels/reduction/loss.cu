#include "kernels/device/column_grid.h"
#include "kernels/device/row_group.h"
#include "kernels/reduction/grid_sum.h"
#include "kernels/reduction/loss.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"

namespace reprise::kernels {
namespace {

// If `gradient` is not null, stores `factor` times the gradient of each row's loss in it.
template <class Group>
__global__ void cross_entropy_rows(float* losses, float* normalizers, float* gradient, float factor,
                                   const float* logits, const std::int64_t* classes, std::int64_t rows, int columns) {
  wait_for_prior_grids();
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  logits += row * columns;
  const float most = Group::max(columns, [&](int i) { return logits[i]; });
  const float normalizer = most + logf(Group::sum(columns, [&](int i) { return expf(logits[i] - most); }));
  const std::int64_t own = classes[row];
  if (gradient) {
    gradient += row * columns;
    Group::for_each(columns,
                    [&](int i) { gradient[i] = factor * (expf(logits[i] - normalizer) - (i == own ? 1.0f : 0.0f)); });
  }
  if (threadIdx.x != 0) return;
  losses[row] = own >= 0 && own < columns ? normalizer - logits[own] : NAN;
  normalizers[row] = normalizer;
}

__global__ void cross_entropy_gradient(float* to, const float* grad, const float* logits, const std::int64_t* classes,
                                       const float* normalizers, float factor, unsigned columns, unsigned rows) {
  wait_for_prior_grids();
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const float scale = *grad * factor;
  for (unsigned row = blockIdx.y; row < rows; row += gridDim.y) {
    const std::size_t i = std::size_t(row) * columns + column;
    const float probability = expf(logits[i] - normalizers[row]);
    to[i] = scale * (probability - (column == classes[row] ? 1.0f : 0.0f));
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

CrossEntropy cross_entropy(const Tensor& logits, const Tensor& classes, Reduction reduction, bool with_gradient) {
  check_rows("cross_entropy", logits, classes);
  const Tensor from = single_precision(logits, "cross_entropy"), places = contiguous(classes);
  const std::int64_t rows = logits.size(0), columns = logits.size(1);
  Tensor losses = empty({rows});
  CrossEntropy result{empty({}), empty({rows}), with_gradient ? empty(logits.sizes()) : Tensor()};
  launch_rows("cross_entropy", cross_entropy_rows<ShortRow>, cross_entropy_rows<LongRow>, rows, columns,
              losses.data<float>(), result.normalizers.data<float>(),
              with_gradient ? result.gradient.data<float>() : nullptr, share(reduction, rows), from.data<float>(),
              places.data<std::int64_t>());
  grid_sum("cross_entropy", result.loss.data<float>(), Values{losses.data<float>()}, rows, share(reduction, rows));
  if (with_gradient) result.gradient = to(result.gradient, logits.dtype());
  return result;
}

}  // namespace

CrossEntropy cross_entropy(const Tensor& logits, const Tensor& classes, Reduction reduction) {
  return cross_entropy(logits, classes, reduction, false);
}

CrossEntropy cross_entropy_and_gradient(const Tensor& logits, const Tensor& classes, Reduction reduction) {
  return cross_entropy(logits, classes, reduction, true);
}

Tensor cross_entropy_backward(const Tensor& grad, const Tensor& logits, const Tensor& classes,
                              const Tensor& normalizers, Reduction reduction) {
  check_rows("cross_entropy_backward", logits, classes);
  const Tensor from = single_precision(logits, "cross_entropy_backward"), places = contiguous(classes),
               g = single_precision(grad, "cross_entropy_backward");
  Tensor result = empty(logits.sizes());
  if (result.numel() > 0) {
    const ColumnGrid grid(logits.size(0), logits.size(1));
    launch_dependent("cross_entropy_backward", cross_entropy_gradient, {grid.blocks, grid.threads},
                     result.data<float>(), g.data<float>(), from.data<float>(), places.data<std::int64_t>(),
                     normalizers.data<float>(), share(reduction, logits.size(0)), grid.columns, grid.rows);
  }
  return to(result, logits.dtype());
}

Tensor squared_error(const Tensor& x, const Tensor& target, Reduction reduction) {
  check_same("mse_loss", x, target);
  const Tensor a = single_precision(x, "mse_loss"), b = single_precision(target, "mse_loss");
  Tensor loss = empty({});
  grid_sum("mse_loss", loss.data<float>(), SquaredDifferences{a.data<float>(), b.data<float>()}, x.numel(),
           share(reduction, x.numel()));
  return loss;
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
  result.gradient = to(result.gradient, x.dtype());
  return result;
}

}  // namespace reprise::kernels
