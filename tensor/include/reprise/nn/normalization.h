// Normalising layers besides LayerNorm.
#pragma once

#include <reprise/nn/module.h>

namespace reprise::nn {

struct BatchNormOptions {
  double epsilon = 1e-5, momentum = 0.1;
  bool affine = true, track_running_stats = true;
};

// Over all dimensions but the second: BatchNorm1d, 2d and 3d are the same.
class BatchNorm : public Module {
 public:
  explicit BatchNorm(std::int64_t channels, BatchNormOptions options = {});
  Tensor forward(const Tensor& input) override;

  Tensor weight, bias, running_mean, running_var;
  Tensor num_batches_tracked;  // i64

 private:
  BatchNormOptions options_;
};
using BatchNorm1d = BatchNorm;
using BatchNorm2d = BatchNorm;

class GroupNorm : public Module {
 public:
  GroupNorm(std::int64_t groups, std::int64_t channels, double epsilon = 1e-5, bool affine = true);
  Tensor forward(const Tensor& input) override { return group_norm(input, groups_, weight, bias, epsilon_); }

  Tensor weight, bias;

 private:
  std::int64_t groups_;
  double epsilon_;
};

// Over the last dimension.
class RMSNorm : public Module {
 public:
  explicit RMSNorm(std::int64_t size, double epsilon = 1.1920929e-7);
  Tensor forward(const Tensor& input) override { return rms_norm(input, weight, epsilon_); }

  Tensor weight;

 private:
  double epsilon_;
};

}  // namespace reprise::nn
