// Convolutions beside Conv2d (layers.h): of one dimension, and transposed.
#pragma once

#include <reprise/nn/module.h>

namespace reprise::nn {

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

}  // namespace reprise::nn
