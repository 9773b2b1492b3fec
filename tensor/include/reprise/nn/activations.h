// Functions without parameters as modules.
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

}  // namespace reprise::nn
