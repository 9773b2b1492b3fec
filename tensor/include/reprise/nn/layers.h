// Layers. Initial values are distributed as in PyTorch: uniform in +-1/sqrt(inputs) for weights and biases, normal for
// embeddings, Xavier uniform for attention.
#pragma once

#include <reprise/nn/module.h>

namespace reprise::nn {

class Linear : public Module {
 public:
  Linear(std::int64_t in_features, std::int64_t out_features, bool with_bias = true);
  Tensor forward(const Tensor& input) override { return linear(input, weight, bias); }

  Tensor weight;  // [out, in]
  Tensor bias;    // [out], or undefined
};

struct Conv2dOptions {
  IntPair stride = 1, padding = 0;
  bool bias = true;
  IntPair dilation = 1;
  std::int64_t groups = 1;
};

class Conv2d : public Module {
 public:
  Conv2d(std::int64_t in_channels, std::int64_t out_channels, IntPair kernel_size, Conv2dOptions options = {});
  Tensor forward(const Tensor& input) override {
    return conv2d(input, weight, bias, options_.stride, options_.padding, options_.dilation, options_.groups);
  }

  Tensor weight;  // [out, in / groups, height, width]
  Tensor bias;

 private:
  Conv2dOptions options_;
};

class ReLU : public Module {
 public:
  Tensor forward(const Tensor& input) override { return relu(input); }
};

class GELU : public Module {
 public:
  Tensor forward(const Tensor& input) override { return gelu(input); }
};

class Tanh : public Module {
 public:
  Tensor forward(const Tensor& input) override { return tanh(input); }
};

class Sigmoid : public Module {
 public:
  Tensor forward(const Tensor& input) override { return sigmoid(input); }
};

class Softmax : public Module {
 public:
  explicit Softmax(std::int64_t dim = -1) : dim_(dim) {}
  Tensor forward(const Tensor& input) override { return softmax(input, dim_); }

 private:
  std::int64_t dim_;
};

// Normalises over the last dimension.
class LayerNorm : public Module {
 public:
  explicit LayerNorm(std::int64_t size, double epsilon = 1e-5);
  Tensor forward(const Tensor& input) override { return layer_norm(input, weight, bias, epsilon_); }

  Tensor weight, bias;

 private:
  double epsilon_;
};

class Dropout : public Module {
 public:
  explicit Dropout(double probability = 0.5);
  Tensor forward(const Tensor& input) override { return dropout(input, probability_, is_training()); }

 private:
  double probability_;
};

class Embedding : public Module {
 public:
  Embedding(std::int64_t count, std::int64_t size);
  Tensor forward(const Tensor& indices) override { return embedding(indices, weight); }

  Tensor weight;  // [count, size]
};

class MaxPool2d : public Module {
 public:
  explicit MaxPool2d(std::int64_t kernel_size, std::int64_t stride = 0, std::int64_t padding = 0)
      : kernel_size_(kernel_size), stride_(stride), padding_(padding) {}
  Tensor forward(const Tensor& input) override { return max_pool2d(input, kernel_size_, stride_, padding_); }

 private:
  std::int64_t kernel_size_, stride_, padding_;
};

class AvgPool2d : public Module {
 public:
  explicit AvgPool2d(std::int64_t kernel_size, std::int64_t stride = 0, std::int64_t padding = 0)
      : kernel_size_(kernel_size), stride_(stride), padding_(padding) {}
  Tensor forward(const Tensor& input) override { return avg_pool2d(input, kernel_size_, stride_, padding_); }

 private:
  std::int64_t kernel_size_, stride_, padding_;
};

// Merges all dimensions but the first.
class Flatten : public Module {
 public:
  Tensor forward(const Tensor& input) override;
};

// Runs modules one after the other. A Linear followed by a ReLU runs as one operation with the same result.
class Sequential : public Module {
 public:
  template <class... Parts>
  explicit Sequential(Parts&&... parts) {
    (push_back(std::forward<Parts>(parts)), ...);
  }
  template <class Part>
  void push_back(Part&& part) {
    steps_.push_back(add(std::to_string(steps_.size()), std::forward<Part>(part)));
  }
  Tensor forward(const Tensor& input) override;

 private:
  std::vector<std::shared_ptr<Module>> steps_;
};

struct AttentionOptions {
  double dropout = 0.0;
  bool bias = true;
  bool causal = false;  // a position attends to itself and earlier ones only
};

// Attention over [batch, length, size]. As in PyTorch, the three input projections share one weight tensor.
class MultiheadAttention : public Module {
 public:
  MultiheadAttention(std::int64_t size, std::int64_t heads, AttentionOptions options = {});
  Tensor forward(const Tensor& input) override;
  Tensor forward(const Tensor& query, const Tensor& key, const Tensor& value);

  Tensor in_proj_weight, in_proj_bias;  // [3 * size, size], [3 * size]
  std::shared_ptr<Linear> out_proj;

 private:
  Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value);

  std::int64_t size_, heads_;
  AttentionOptions options_;
};

}  // namespace reprise::nn
