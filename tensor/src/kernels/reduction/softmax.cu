#include "kernels/device/row_group.h"
#include "kernels/reduction/softmax.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

// Advances each pointer to the group's row; returns false if the group has no row.
template <class Group, class... Pointers>
__device__ bool find_row(std::int64_t rows, int columns, Pointers&... pointers) {
  const std::int64_t row = Group::row();
  ((pointers += row * columns), ...);
  return row < rows;
}

struct Exponentials {
  float most, sum;
};

// to[i] = exp(scale * (from[i] - maximum)) for the first `count` columns.
template <class Group>
__device__ Exponentials exponentials(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT from, float scale,
                                     int count) {
  const float most = Group::max(count, [&](int i) { return from[i]; });
  Group::for_each(count, [&](int i) { to[i] = expf(scale * (from[i] - most)); });
  return {most, Group::sum(count, [&](int i) { return to[i]; })};
}

// If causal, only the first `seen` columns of a row count: query i attends to keys 0 to i, also if there are more
// queries than keys or fewer. Other weights are zero.
template <class Group>
__global__ void softmax_rows(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT from, float scale, int queries,
                             bool causal, std::int64_t rows, int columns) {
  wait_for_prior_grids();
  if (!find_row<Group>(rows, columns, to, from)) return;
  const int seen = causal ? min(columns, static_cast<int>(Group::row() % queries) + 1) : columns;
  const float factor = 1 / exponentials<Group>(to, from, scale, seen).sum;
  Group::for_each(seen, [&](int i) { to[i] *= factor; });
  Group::for_each(columns - seen, [&](int i) { to[seen + i] = 0; });
}

template <class Group>
__global__ void log_softmax_rows(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT from, std::int64_t rows,
                                 int columns) {
  wait_for_prior_grids();
  if (!find_row<Group>(rows, columns, to, from)) return;
  const Exponentials all = exponentials<Group>(to, from, 1, columns);
  const float shift = all.most + logf(all.sum);
  Group::for_each(columns, [&](int i) { to[i] = from[i] - shift; });
}

template <class Group>
__global__ void softmax_backward_rows(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT grad,
                                      const float* REPRISE_RESTRICT result, float scale, std::int64_t rows,
                                      int columns) {
  wait_for_prior_grids();
  if (!find_row<Group>(rows, columns, to, grad, result)) return;
  const float dot = Group::sum(columns, [&](int i) { return grad[i] * result[i]; });
  Group::for_each(columns, [&](int i) { to[i] = scale * result[i] * (grad[i] - dot); });
}

template <class Group>
__global__ void log_softmax_backward_rows(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT grad,
                                          const float* REPRISE_RESTRICT result, std::int64_t rows, int columns) {
  wait_for_prior_grids();
  if (!find_row<Group>(rows, columns, to, grad, result)) return;
  const float sum = Group::sum(columns, [&](int i) { return grad[i]; });
  Group::for_each(columns, [&](int i) { to[i] = grad[i] - expf(result[i]) * sum; });
}

// Softmax along another dimension than the last, of [outer, length, inner] in place: a thread processes `width`
// adjacent columns. On the CPU device these are vectors, on a GPU adjacent threads read adjacent columns.
#ifdef REPRISE_GPU
constexpr int width = 1, column_threads = 128;
#else
constexpr int width = 64, column_threads = 1;
#endif

struct Columns {
  unsigned outer, length, inner;

  unsigned groups() const { return (inner + width - 1) / width * outer; }
};

// The columns of a thread; `count` is zero if there are none.
struct OwnColumns {
  std::size_t first;
  int count;

  __device__ explicit OwnColumns(const Columns& c) {
    const unsigned group = blockIdx.x * blockDim.x + threadIdx.x, of_row = (c.inner + width - 1) / width;
    const unsigned o = group / of_row, column = group % of_row * width;
    first = std::size_t(o) * c.length * c.inner + column;
    count = o < c.outer ? ::min(width, static_cast<int>(c.inner - column)) : 0;
  }
};

__global__ void softmax_columns(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT from, bool logarithm,
                                Columns c) {
  wait_for_prior_grids();
  const OwnColumns own(c);
  float most[width], sums[width];
  for (int k = 0; k < own.count; ++k) most[k] = -INFINITY, sums[k] = 0;
  to += own.first, from += own.first;
  for (unsigned j = 0; j < c.length; ++j) {
    const float* line = from + std::size_t(j) * c.inner;
    for (int k = 0; k < own.count; ++k) most[k] = fmaxf(most[k], line[k]);
  }
  for (unsigned j = 0; j < c.length; ++j) {
    const float* line = from + std::size_t(j) * c.inner;
    float* own_line = to + std::size_t(j) * c.inner;
    for (int k = 0; k < own.count; ++k) {
      own_line[k] = expf(line[k] - most[k]);
      sums[k] += own_line[k];
    }
  }
  for (int k = 0; k < own.count; ++k) sums[k] = logarithm ? most[k] + logf(sums[k]) : 1 / sums[k];
  for (unsigned j = 0; j < c.length; ++j) {
    const float* line = from + std::size_t(j) * c.inner;
    float* own_line = to + std::size_t(j) * c.inner;
    for (int k = 0; k < own.count; ++k) own_line[k] = logarithm ? line[k] - sums[k] : own_line[k] * sums[k];
  }
}

__global__ void softmax_backward_columns(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT grad,
                                         const float* REPRISE_RESTRICT result, bool logarithm, Columns c) {
  wait_for_prior_grids();
  const OwnColumns own(c);
  float sums[width];
  for (int k = 0; k < own.count; ++k) sums[k] = 0;
  to += own.first, grad += own.first, result += own.first;
  for (unsigned j = 0; j < c.length; ++j) {
    const std::size_t at = std::size_t(j) * c.inner;
    for (int k = 0; k < own.count; ++k) sums[k] += logarithm ? grad[at + k] : grad[at + k] * result[at + k];
  }
  for (unsigned j = 0; j < c.length; ++j) {
    const std::size_t at = std::size_t(j) * c.inner;
    for (int k = 0; k < own.count; ++k)
      to[at + k] =
          logarithm ? grad[at + k] - expf(result[at + k]) * sums[k] : result[at + k] * (grad[at + k] - sums[k]);
  }
}

// Whether it is f32 along another dimension than the last, with enough columns to be read by vectors.
bool is_by_columns(const Tensor& x, std::int64_t dim, const char* operation, Columns& columns) {
  if (x.dtype() != DType::f32 || x.dim() < 2 || x.numel() == 0 || x.numel() >= std::int64_t(1) << 31) return false;
  const int own = wrap_dimension(dim, x.sizes(), operation);
  std::int64_t outer = 1, inner = 1;
  for (int i = 0; i < own; ++i) outer *= x.size(i);
  for (int i = own + 1; i < x.dim(); ++i) inner *= x.size(i);
  columns = {static_cast<unsigned>(outer), static_cast<unsigned>(x.size(own)), static_cast<unsigned>(inner)};
  return inner >= 16;
}

LaunchShape shape_of(const Columns& columns) {
  return {(columns.groups() + column_threads - 1) / column_threads, column_threads};
}

// Calls run(to, operands...) with contiguous f32 tensors whose last dimension is `dim`. The result has the type of the
// first operand.
template <class Run, class... Operands>
Tensor along(const char* operation, std::int64_t dim, const Run& run, const Tensor& first, const Operands&... others) {
  const int last = first.dim() - 1;
  if (last < 0)
    return kernels::view(along(operation, 0, run, kernels::unsqueeze(first, 0), kernels::unsqueeze(others, 0)...), {});
  const int own = wrap_dimension(dim, first.sizes(), operation);
  auto prepared = [&](const Tensor& x) {
    check(x.sizes() == first.sizes(), operation, ": a gradient of ", first.sizes(), " for a result of ", x.sizes());
    return single_precision(own == last ? x : kernels::transpose(x, own, last), operation);
  };
  const Tensor x = prepared(first);
  Tensor to = empty(x.sizes());
  if (x.numel() > 0) run(to, x, prepared(others)...);
  if (own != last) to = contiguous(kernels::transpose(to, own, last));
  return kernels::to(to, first.dtype());
}

std::int64_t columns_of(const Tensor& x) { return x.sizes().back(); }
std::int64_t rows_of(const Tensor& x) { return x.numel() / columns_of(x); }

void launch_softmax(const char* operation, const Tensor& to, const Tensor& x, float scale, std::int64_t queries,
                    bool causal) {
  launch_rows(operation, softmax_rows<ShortRow>, softmax_rows<LongRow>, rows_of(x), columns_of(x), to.data<float>(),
              x.data<float>(), scale, static_cast<int>(queries), causal);
}

Tensor softmax_gradient(const char* operation, const Tensor& grad, const Tensor& result, std::int64_t dim,
                        float scale) {
  return along(
      operation, dim,
      [&](const Tensor& to, const Tensor& grad, const Tensor& result) {
        launch_rows(operation, softmax_backward_rows<ShortRow>, softmax_backward_rows<LongRow>, rows_of(grad),
                    columns_of(grad), to.data<float>(), grad.data<float>(), result.data<float>(), scale);
      },
      grad, result);
}

}  // namespace

namespace {

Tensor by_columns(const char* operation, const Tensor& x, bool logarithm, const Columns& columns) {
  const Tensor from = contiguous(x);
  Tensor to = empty(x.sizes());
  launch_dependent(operation, softmax_columns, shape_of(columns), to.data<float>(), from.data<float>(), logarithm,
                   columns);
  return to;
}

Tensor gradient_by_columns(const char* operation, const Tensor& grad, const Tensor& result, bool logarithm,
                           const Columns& columns) {
  check(grad.sizes() == result.sizes() && grad.dtype() == result.dtype(), operation, ": a gradient of ", grad.dtype(),
        " ", grad.sizes(), " for a result of ", result.dtype(), " ", result.sizes());
  const Tensor g = contiguous(grad), y = contiguous(result);
  Tensor to = empty(grad.sizes());
  launch_dependent(operation, softmax_backward_columns, shape_of(columns), to.data<float>(), g.data<float>(),
                   y.data<float>(), logarithm, columns);
  return to;
}

}  // namespace

Tensor softmax(const Tensor& x, std::int64_t dim) {
  if (Columns columns{}; is_by_columns(x, dim, "softmax", columns)) return by_columns("softmax", x, false, columns);
  return along(
      "softmax", dim, [](const Tensor& to, const Tensor& x) { launch_softmax("softmax", to, x, 1, 1, false); }, x);
}

Tensor log_softmax(const Tensor& x, std::int64_t dim) {
  if (Columns columns{}; is_by_columns(x, dim, "log_softmax", columns))
    return by_columns("log_softmax", x, true, columns);
  return along(
      "log_softmax", dim,
      [](const Tensor& to, const Tensor& x) {
        launch_rows("log_softmax", log_softmax_rows<ShortRow>, log_softmax_rows<LongRow>, rows_of(x), columns_of(x),
                    to.data<float>(), x.data<float>());
      },
      x);
}

Tensor softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
  if (Columns columns{}; is_by_columns(result, dim, "softmax_backward", columns))
    return gradient_by_columns("softmax_backward", grad, result, false, columns);
  return softmax_gradient("softmax_backward", grad, result, dim, 1);
}

Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
  if (Columns columns{}; is_by_columns(result, dim, "log_softmax_backward", columns))
    return gradient_by_columns("log_softmax_backward", grad, result, true, columns);
  return along(
      "log_softmax_backward", dim,
      [](const Tensor& to, const Tensor& grad, const Tensor& result) {
        launch_rows("log_softmax_backward", log_softmax_backward_rows<ShortRow>, log_softmax_backward_rows<LongRow>,
                    rows_of(grad), columns_of(grad), to.data<float>(), grad.data<float>(), result.data<float>());
      },
      grad, result);
}

Tensor attention_weights(const Tensor& scores, double scale, bool causal) {
  check(scores.dim() >= 2, "attention_weights: expects scores [..., queries, keys], not ", scores.sizes());
  check(scale > 0, "attention_weights: the scale must be positive, not ", scale);
  return along(
      "attention_weights", -1,
      [&](const Tensor& to, const Tensor& x) {
        launch_softmax("attention_weights", to, x, static_cast<float>(scale), x.size(-2), causal);
      },
      scores);
}

Tensor attention_weights_backward(const Tensor& grad, const Tensor& weights, double scale) {
  return softmax_gradient("attention_weights_backward", grad, weights, -1, static_cast<float>(scale));
}

}  // namespace reprise::kernels
