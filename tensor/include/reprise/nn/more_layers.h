// Activations as modules, further convolutions, containers.
#pragma once

#include <reprise/nn/module.h>

namespace reprise::nn {

// A module of one function without parameters: Activation(silu).
class Activation : public Module {
 public:
  explicit Activation(std::function<Tensor(const Tensor&)> function) : function_(std::move(function)) {}
  Tensor forward(const Tensor& input) override { return function_(input); }

 private:
  std::function<Tensor(const Tensor&)> function_;
};

struct SiLU : Activation {
  SiLU() : Activation(silu) {}
};
struct Mish : Activation {
  Mish() : Activation(mish) {}
};
struct Softplus : Activation {
  explicit Softplus(double beta = 1, double threshold = 20)
      : Activation([=](const Tensor& x) { return softplus(x, beta, threshold); }) {}
};
struct ELU : Activation {
  explicit ELU(double alpha = 1) : Activation([=](const Tensor& x) { return elu(x, alpha); }) {}
};
struct SELU : Activation {
  SELU() : Activation(selu) {}
};
struct LeakyReLU : Activation {
  explicit LeakyReLU(double slope = 0.01) : Activation([=](const Tensor& x) { return leaky_relu(x, slope); }) {}
};
struct ReLU6 : Activation {
  ReLU6() : Activation(relu6) {}
};
struct Hardswish : Activation {
  Hardswish() : Activation(hardswish) {}
};
struct LogSoftmax : Activation {
  explicit LogSoftmax(std::int64_t dim = -1) : Activation([=](const Tensor& x) { return log_softmax(x, dim); }) {}
};
struct Identity : Activation {
  Identity() : Activation([](const Tensor& x) { return x; }) {}
};
struct AdaptiveAvgPool2d : Activation {
  explicit AdaptiveAvgPool2d(IntPair size)
      : Activation([=](const Tensor& x) { return adaptive_avg_pool2d(x, size); }) {}
};
struct Upsample : Activation {
  explicit Upsample(IntPair size, std::string mode = "nearest")
      : Activation([=](const Tensor& x) { return interpolate(x, size, mode); }) {}
};

struct Conv1dOptions {
  std::int64_t stride = 1, padding = 0;
  bool bias = true;
  std::int64_t dilation = 1, groups = 1;
};

class Conv1d : public Module {
 public:
  Conv1d(std::int64_t in_channels, std::int64_t out_channels, std::int64_t kernel_size, Conv1dOptions options = {});
  Tensor forward(const Tensor& input) override {
    return conv1d(input, weight, bias, options_.stride, options_.padding, options_.dilation, options_.groups);
  }

  Tensor weight, bias;

 private:
  Conv1dOptions options_;
};

struct ConvTranspose2dOptions {
  IntPair stride = 1, padding = 0, output_padding = 0;
  bool bias = true;
  std::int64_t groups = 1;
  IntPair dilation = 1;
};

class ConvTranspose2d : public Module {
 public:
  ConvTranspose2d(std::int64_t in_channels, std::int64_t out_channels, IntPair kernel_size,
                  ConvTranspose2dOptions options = {});
  Tensor forward(const Tensor& input) override {
    return conv_transpose2d(input, weight, bias, options_.stride, options_.padding, options_.output_padding,
                            options_.groups, options_.dilation);
  }

  Tensor weight, bias;  // [in, out / groups, height, width], [out]

 private:
  ConvTranspose2dOptions options_;
};

// Modules by number; it has no forward of its own.
class ModuleList : public Module {
 public:
  template <class Part>
  void push_back(Part&& part) {
    parts_.push_back(add(std::to_string(parts_.size()), std::forward<Part>(part)));
  }
  std::size_t size() const { return parts_.size(); }
  Module& operator[](std::size_t i) const { return *parts_.at(i); }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }

 private:
  std::vector<std::shared_ptr<Module>> parts_;
};

// Initial values (torch.nn.init), in place and without gradients.
namespace init {
void uniform_(Tensor x, double low = 0, double high = 1);
void normal_(Tensor x, double mean = 0, double deviation = 1);
void constant_(Tensor x, double value);
void zeros_(Tensor x);
void ones_(Tensor x);
void xavier_uniform_(Tensor x, double gain = 1);
void xavier_normal_(Tensor x, double gain = 1);
// For ReLU, with the fan of the inputs.
void kaiming_uniform_(Tensor x, double a = 0);
void kaiming_normal_(Tensor x, double a = 0);
}  // namespace init

}  // namespace reprise::nn
