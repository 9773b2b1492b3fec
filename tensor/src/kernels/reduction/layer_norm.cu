#include "kernels/device/row_group.h"
#include "kernels/reduction/column_sums.h"
#include "kernels/reduction/layer_norm.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

template <class Group>
__global__ void normalize_rows(float* REPRISE_RESTRICT y, float* means, float* rstds, const float* REPRISE_RESTRICT x,
                               const float* REPRISE_RESTRICT weight, const float* REPRISE_RESTRICT bias, float epsilon,
                               std::int64_t rows, int columns) {
  wait_for_prior_grids();
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  x += row * columns;
  y += row * columns;
  const float mean = Group::sum(columns, [&](int i) { return x[i]; }) / columns;
  const float squares = Group::sum(columns, [&](int i) { return (x[i] - mean) * (x[i] - mean); });
  const float rstd = rsqrtf(squares / columns + epsilon);
  Group::for_each(columns, [&](int i) {
    const float normal = (x[i] - mean) * rstd;
    y[i] = (weight ? normal * weight[i] : normal) + (bias ? bias[i] : 0);
  });
  if (threadIdx.x == 0) {
    means[row] = mean;
    rstds[row] = rstd;
  }
}

template <class Group>
__global__ void normalize_backward_rows(float* REPRISE_RESTRICT to, const float* REPRISE_RESTRICT grad,
                                        const float* REPRISE_RESTRICT x, const float* REPRISE_RESTRICT weight,
                                        const float* means, const float* rstds, std::int64_t rows, int columns) {
  wait_for_prior_grids();
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  to += row * columns;
  grad += row * columns;
  x += row * columns;
  const float mean = means[row], rstd = rstds[row];
  auto own = [&](int i) { return weight ? grad[i] * weight[i] : grad[i]; };
  const float sum = Group::sum(columns, own) / columns;
  const float dot = Group::sum(columns, [&](int i) { return own(i) * (x[i] - mean) * rstd; }) / columns;
  Group::for_each(columns, [&](int i) { to[i] = rstd * (own(i) - sum - (x[i] - mean) * rstd * dot); });
}

// The terms of the gradients of weight and bias, which are summed over the rows.
struct WeightTerms {
  const float *grad, *x, *means, *rstds;
  std::int64_t columns;

  __device__ void add(std::int64_t row, std::int64_t column, float (&sums)[2]) const {
    const float g = grad[row * columns + column];
    sums[0] += g * (x[row * columns + column] - means[row]) * rstds[row];
    sums[1] += g;
  }
};

const float* data_or_null(const Tensor& x) { return x.defined() ? x.data<float>() : nullptr; }

Tensor of_columns(const Tensor& of, const Tensor& x, const char* what) {
  if (!of.defined()) return of;
  check(of.dim() == 1 && of.size(0) == x.sizes().back(), "layer_norm: a ", what, " of ", of.sizes(), " for rows of ",
        x.sizes());
  return single_precision(of, "layer_norm");
}

}  // namespace

LayerNorm layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
  check(x.dim() >= 1, "layer_norm: expects rows, not a tensor of ", x.sizes());
  const std::int64_t columns = x.sizes().back(), rows = columns ? x.numel() / columns : 0;
  const Tensor from = single_precision(x, "layer_norm"), w = of_columns(weight, x, "weight"),
               b = of_columns(bias, x, "bias");
  LayerNorm result{empty(x.sizes()), empty({rows}), empty({rows})};
  launch_rows("layer_norm", normalize_rows<ShortRow>, normalize_rows<LongRow>, rows, columns, result.y.data<float>(),
              result.mean.data<float>(), result.rstd.data<float>(), from.data<float>(), data_or_null(w),
              data_or_null(b), static_cast<float>(epsilon));
  result.y = to(result.y, x.dtype());
  return result;
}

LayerNormGradients layer_norm_backward(const Tensor& grad, const Tensor& x, const Tensor& weight,
                                       const LayerNorm& forward) {
  check(grad.sizes() == x.sizes(), "layer_norm_backward: a gradient of ", grad.sizes(), " for ", x.sizes());
  const std::int64_t columns = x.sizes().back(), rows = columns ? x.numel() / columns : 0;
  const Tensor g = single_precision(grad, "layer_norm_backward"), from = single_precision(x, "layer_norm_backward");
  const Tensor w = of_columns(weight, x, "weight");
  LayerNormGradients result{empty(x.sizes()), {}, {}};
  launch_rows("layer_norm_backward", normalize_backward_rows<ShortRow>, normalize_backward_rows<LongRow>, rows, columns,
              result.x.data<float>(), g.data<float>(), from.data<float>(), data_or_null(w), forward.mean.data<float>(),
              forward.rstd.data<float>());
  result.x = to(result.x, x.dtype());
  if (!weight.defined()) return result;
  Tensor sums = empty({2, columns});
  const WeightTerms terms{g.data<float>(), from.data<float>(), forward.mean.data<float>(), forward.rstd.data<float>(),
                          columns};
  column_sums<2>("layer_norm_backward", sums.data<float>(), terms, rows, columns);
  result.weight = to(kernels::select(sums, 0, 0), weight.dtype());
  result.bias = kernels::select(sums, 0, 1);
  return result;
}

}  // namespace reprise::kernels
