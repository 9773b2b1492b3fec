#include <reprise/factories.h>
#include <reprise/nn/layers.h>

#include <cmath>
#include <typeinfo>

#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"

namespace reprise::nn {
namespace {

Tensor uniform(const Sizes& sizes, double bound) {
  Tensor values = empty(sizes);
  kernels::uniform_(values, -bound, bound);
  return values;
}

double fan_in_bound(std::int64_t fan_in) { return fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0; }

}  // namespace

Linear::Linear(std::int64_t in_features, std::int64_t out_features, bool with_bias) {
  const double bound = fan_in_bound(in_features);
  weight = add_parameter("weight", uniform({out_features, in_features}, bound));
  if (with_bias) bias = add_parameter("bias", uniform({out_features}, bound));
}

Conv2d::Conv2d(std::int64_t in_channels, std::int64_t out_channels, IntPair kernel_size, Conv2dOptions options)
    : options_(options) {
  check(options.groups > 0 && in_channels % options.groups == 0 && out_channels % options.groups == 0,
        "Conv2d: ", options.groups, " groups do not divide ", in_channels, " and ", out_channels, " channels");
  const std::int64_t of_group = in_channels / options.groups;
  const double bound = fan_in_bound(of_group * kernel_size.height * kernel_size.width);
  weight = add_parameter("weight", uniform({out_channels, of_group, kernel_size.height, kernel_size.width}, bound));
  if (options.bias) bias = add_parameter("bias", uniform({out_channels}, bound));
}

LayerNorm::LayerNorm(std::int64_t size, double epsilon) : epsilon_(epsilon) {
  weight = add_parameter("weight", ones({size}));
  bias = add_parameter("bias", zeros({size}));
}

Dropout::Dropout(double probability) : probability_(probability) {
  check(probability >= 0 && probability <= 1, "Dropout with a probability of ", probability);
}

Embedding::Embedding(std::int64_t count, std::int64_t size) { weight = add_parameter("weight", randn({count, size})); }

Tensor Flatten::forward(const Tensor& input) { return input.flatten(1); }

Tensor Sequential::forward(const Tensor& input) {
  Tensor x = input;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Module& step = *steps_[i];
    // Exactly these types, since a derived class may override forward().
    if (i + 1 < steps_.size() && typeid(step) == typeid(Linear)) {
      Module& next = *steps_[i + 1];
      if (typeid(next) == typeid(ReLU) || typeid(next) == typeid(GELU)) {
        const Linear& linear = static_cast<const Linear&>(step);
        x = typeid(next) == typeid(ReLU) ? linear_relu(x, linear.weight, linear.bias)
                                         : linear_gelu(x, linear.weight, linear.bias);
        ++i;
        continue;
      }
    }
    x = step.forward(x);
  }
  return x;
}

MultiheadAttention::MultiheadAttention(std::int64_t size, std::int64_t heads, AttentionOptions options)
    : size_(size), heads_(heads), options_(options) {
  check(heads > 0 && size % heads == 0, "MultiheadAttention: ", heads, " heads do not divide a size of ", size);
  in_proj_weight = add_parameter("in_proj_weight", uniform({3 * size, size}, std::sqrt(6.0 / (4.0 * size))));
  if (options.bias) in_proj_bias = add_parameter("in_proj_bias", zeros({3 * size}));
  out_proj = add("out_proj", Linear(size, size, options.bias));
  if (options.bias) kernels::zero_(out_proj->bias);
}

Tensor MultiheadAttention::forward(const Tensor& input) {
  const Tensor projected = linear(input, in_proj_weight, in_proj_bias);
  return attend(projected.narrow(-1, 0, size_), projected.narrow(-1, size_, size_),
                projected.narrow(-1, 2 * size_, size_));
}

Tensor MultiheadAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value) {
  auto project = [this](const Tensor& x, std::int64_t which) {
    return linear(x, in_proj_weight.narrow(0, which * size_, size_),
                  in_proj_bias.defined() ? in_proj_bias.narrow(0, which * size_, size_) : Tensor());
  };
  return attend(project(query, 0), project(key, 1), project(value, 2));
}

Tensor MultiheadAttention::attend(const Tensor& query, const Tensor& key, const Tensor& value) {
  check(query.dim() == 3, "MultiheadAttention of a tensor of shape ", query.sizes(),
        ": [batch, length, size] expected");
  auto by_head = [this](const Tensor& x) {
    return x.reshape({x.size(0), x.size(1), heads_, size_ / heads_}).transpose(1, 2);
  };
  const Tensor seen = scaled_dot_product_attention(by_head(query), by_head(key), by_head(value), options_.causal,
                                                   is_training() ? options_.dropout : 0);
  return out_proj->forward(seen.transpose(1, 2).reshape(query.sizes()));
}

}  // namespace reprise::nn
