#include "kernels/device/block_random.h"
#include "kernels/device/dependent_launch.h"
#include "kernels/random/dropout.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"

namespace reprise::kernels {
namespace {

// A thread processes four elements, which take one draw of the generator.
__global__ void drop(float* y, bool* kept, const float* x, std::int64_t n, float probability, float scale,
                     PhiloxState random) {
  wait_for_prior_grids();
  const std::int64_t group = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (group * 4 >= n) return;
  const PhiloxWords words = random.draw(group);
  for (int k = 0; k < 4; ++k) {
    const std::int64_t i = group * 4 + k;
    if (i >= n) return;
    const bool keep = uniform(words.at[k]) >= probability;
    kept[i] = keep;
    y[i] = keep ? x[i] * scale : 0;
  }
}

// The same for whole groups.
__global__ void drop_groups(float* REPRISE_RESTRICT y, bool* REPRISE_RESTRICT kept, const float* REPRISE_RESTRICT x,
                            unsigned groups, float probability, float scale, PhiloxState random) {
  wait_for_prior_grids();
  const PhiloxState own = load_position_once(random);
  const unsigned group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group >= groups) return;
  const PhiloxWords words = own.draw(group);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const bool keep = uniform(words.at[k]) >= probability;
    const float scaled = x[group * 4 + k] * scale;
    kept[group * 4 + k] = keep;
    y[group * 4 + k] = keep ? scaled : 0;
  }
}

__global__ void drop_gradient(float* to, const float* grad, const bool* kept, std::int64_t n, float scale) {
  wait_for_prior_grids();
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = kept[i] ? grad[i] * scale : 0;
}

// With probability 1 nothing is kept, and the scale is never used.
float scale_of(double probability) { return probability < 1 ? static_cast<float>(1 / (1 - probability)) : 0; }

}  // namespace

Dropout dropout(const Tensor& x, double probability, const Generator& generator) {
  check(probability >= 0 && probability <= 1, "dropout of ", x.sizes(), ": a probability is between 0 and 1, not ",
        probability);
  const Tensor from = single_precision(x, "dropout");
  Dropout result{empty(x.sizes()), empty(x.sizes(), DType::boolean)};
  const std::int64_t n = x.numel();
  const PhiloxState random = generator.next();
  const bool whole_groups = n % 4 == 0 && n < (std::int64_t(1) << 31);
  auto launch = [&](auto kernel, auto count) {
    launch_dependent("dropout", kernel, {blocks_for((n + 3) / 4), threads_per_block}, result.y.data<float>(),
                     result.kept.data<bool>(), from.data<float>(), count, static_cast<float>(probability),
                     scale_of(probability), random);
  };
  if (n > 0 && whole_groups) launch(drop_groups, static_cast<unsigned>(n / 4));
  if (n > 0 && !whole_groups) launch(drop, n);
  result.y = to(result.y, x.dtype());
  return result;
}

Tensor dropout_backward(const Tensor& grad, const Tensor& kept, double probability) {
  check(grad.sizes() == kept.sizes(), "dropout_backward: a gradient of ", grad.sizes(), " for ", kept.sizes());
  const Tensor g = single_precision(grad, "dropout_backward");
  Tensor result = empty(grad.sizes());
  const std::int64_t n = grad.numel();
  if (n > 0) {
    launch_dependent("dropout_backward", drop_gradient, {blocks_for(n), threads_per_block}, result.data<float>(),
                     g.data<float>(), kept.data<bool>(), n, scale_of(probability));
  }
  return to(result, grad.dtype());
}

}  // namespace reprise::kernels
