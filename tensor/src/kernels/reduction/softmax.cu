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

Tensor softmax(const Tensor& x, std::int64_t dim) {
  return along(
      "softmax", dim, [](const Tensor& to, const Tensor& x) { launch_softmax("softmax", to, x, 1, 1, false); }, x);
}

Tensor log_softmax(const Tensor& x, std::int64_t dim) {
  return along(
      "log_softmax", dim,
      [](const Tensor& to, const Tensor& x) {
        launch_rows("log_softmax", log_softmax_rows<ShortRow>, log_softmax_rows<LongRow>, rows_of(x), columns_of(x),
                    to.data<float>(), x.data<float>());
      },
      x);
}

Tensor softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
  return softmax_gradient("softmax_backward", grad, result, dim, 1);
}

Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
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
