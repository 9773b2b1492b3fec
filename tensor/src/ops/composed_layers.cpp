// Normalisations, adaptive pooling and attention with masks, made of recorded operations.
#include <cmath>

#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduction/reduce.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "kernels/tensor/views.h"
#include "ops/broadcast.h"

namespace reprise {
namespace {

Tensor scaled(const Tensor& x, const Tensor& weight, const Tensor& bias, const Sizes& sizes) {
  Tensor y = x;
  if (weight.defined()) y = mul(y, weight.reshape(sizes));
  if (bias.defined()) y = add(y, bias.reshape(sizes));
  return y;
}

// The means of adaptive windows as a matrix [windows, length].
Tensor averages(std::int64_t windows, std::int64_t length, DType dtype) {
  std::vector<float> matrix(static_cast<std::size_t>(windows * length));
  for (std::int64_t i = 0; i < windows; ++i) {
    const std::int64_t begin = i * length / windows, end = ((i + 1) * length + windows - 1) / windows;
    for (std::int64_t j = begin; j < end; ++j)
      matrix[static_cast<std::size_t>(i * length + j)] = 1.0f / static_cast<float>(end - begin);
  }
  return kernels::to(kernels::from_vector(matrix, {windows, length}), dtype);
}

}  // namespace

Tensor batch_norm(const Tensor& x, const Tensor& running_mean, const Tensor& running_var, const Tensor& weight,
                  const Tensor& bias, bool training, double momentum, double epsilon) {
  check(x.dim() >= 2, "batch_norm: expects [batch, channels, ...], not ", x.sizes());
  check(training || (running_mean.defined() && running_var.defined()), "batch_norm of ", x.sizes(),
        ": running statistics are needed except in training");
  const std::int64_t channels = x.size(1), count = channels ? x.numel() / channels : 0;
  Sizes dims{0}, sizes = Sizes::filled(x.dim(), 1);
  for (int i = 2; i < x.dim(); ++i) dims.push_back(i);
  sizes[1] = channels;
  if (!training) {
    const Tensor inverse = div(1, sqrt(add(running_var, epsilon)));
    return scaled(mul(sub(x, running_mean.view(sizes)), inverse.view(sizes)), weight, bias, sizes);
  }
  check(count > 1, "batch_norm in training: more than one value for each channel is needed, not ", x.sizes());
  const Tensor centre = mean(x, dims, true), centred = sub(x, centre), spread = mean(mul(centred, centred), dims, true);
  if (running_mean.defined() || running_var.defined()) {
    NoGradGuard guard;
    auto move = [&](const Tensor& running, const Tensor& now, double factor) {
      if (!running.defined()) return;
      running.body().memory->changed();
      kernels::mul_(running, Scalar(1 - momentum));
      kernels::add_(running, kernels::to(kernels::view(now.detach(), {channels}), running.dtype()), momentum * factor);
    };
    move(running_mean, centre, 1);
    move(running_var, spread, static_cast<double>(count) / static_cast<double>(count - 1));
  }
  return scaled(mul(centred, div(1, sqrt(add(spread, epsilon)))), weight, bias, sizes);
}

Tensor group_norm(const Tensor& x, std::int64_t num_groups, const Tensor& weight, const Tensor& bias, double epsilon) {
  check(x.dim() >= 2 && num_groups > 0 && x.size(1) % num_groups == 0, "group_norm: ", num_groups, " groups of ",
        x.sizes());
  const Tensor normal = layer_norm(x.reshape({x.size(0) * num_groups, -1}), {}, {}, epsilon).reshape(x.sizes());
  Sizes sizes = Sizes::filled(x.dim(), 1);
  sizes[1] = x.size(1);
  return scaled(normal, weight, bias, sizes);
}

Tensor rms_norm(const Tensor& x, const Tensor& weight, double epsilon) {
  check(x.dim() >= 1, "rms_norm of a tensor without dimensions");
  const Tensor normal = mul(x, rsqrt(add(mean(mul(x, x), {-1}, true), epsilon)));
  return weight.defined() ? mul(normal, weight) : normal;
}

Tensor normalize(const Tensor& x, double p, std::int64_t dim, double epsilon) {
  return div(x, clamp_min(norm(x, p, {dim}, true), epsilon));
}

Tensor cosine_similarity(const Tensor& a, const Tensor& b, std::int64_t dim, double epsilon) {
  const Tensor lengths = mul(clamp_min(norm(a, 2, {dim}, true), epsilon), clamp_min(norm(b, 2, {dim}, true), epsilon));
  return sum(div(mul(a, b), lengths), {dim});
}

Tensor adaptive_avg_pool2d(const Tensor& x, IntPair output_size) {
  check(x.dim() == 4, "adaptive_avg_pool2d: expects images [batch, channels, height, width], not ", x.sizes());
  check(output_size.height > 0 && output_size.width > 0, "adaptive_avg_pool2d: ", x.sizes(), " to ", output_size);
  if (output_size == IntPair(1)) return mean(x, {2, 3}, true);
  const std::int64_t size = x.size(2) / output_size.height;
  if (x.size(2) == size * output_size.height && x.size(3) == size * output_size.width) return avg_pool2d(x, size);
  const Tensor rows = averages(output_size.height, x.size(2), x.dtype()),
               columns = averages(output_size.width, x.size(3), x.dtype());
  return matmul(matmul(rows, x), columns.t());
}

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionArguments& arguments) {
  check(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2, "attention of queries ", query.sizes(), " over keys ",
        key.sizes(), " and values ", value.sizes());
  check(!(arguments.attn_mask.defined() && arguments.is_causal), "attention: give a mask or is_causal, not both");
  Tensor keys = key, values = value;
  if (arguments.enable_gqa && query.dim() >= 3 && query.size(-3) != key.size(-3)) {
    check(query.size(-3) % key.size(-3) == 0, "attention: ", query.size(-3), " heads of queries do not share ",
          key.size(-3), " of keys");
    keys = repeat_interleave(key, query.size(-3) / key.size(-3), -3);
    values = repeat_interleave(value, query.size(-3) / value.size(-3), -3);
  }
  const double usual = 1 / std::sqrt(static_cast<double>(query.size(-1)));
  if (!arguments.attn_mask.defined() && !arguments.scale)
    return scaled_dot_product_attention(query, keys, values, arguments.is_causal, arguments.dropout_p);
  Tensor scores = mul(matmul(query, keys.transpose(-2, -1)), arguments.scale.value_or(usual));
  constexpr double least = -std::numeric_limits<double>::infinity();
  if (arguments.is_causal) {
    const Tensor rows = kernels::view(kernels::arange(0, scores.size(-2)), {scores.size(-2), 1});
    scores = masked_fill(scores, kernels::gt(kernels::arange(0, scores.size(-1)), rows), least);
  } else if (arguments.attn_mask.defined() && arguments.attn_mask.dtype() == DType::boolean) {
    scores = masked_fill(scores, kernels::logical_not(arguments.attn_mask), least);
  } else if (arguments.attn_mask.defined()) {
    scores = add(scores, arguments.attn_mask);
  }
  Tensor weights = softmax(scores, -1);
  if (arguments.dropout_p > 0) weights = dropout(weights, arguments.dropout_p);
  return matmul(weights, values);
}

}  // namespace reprise
