#include <reprise/autograd.h>
#include <reprise/factories.h>
#include <reprise/nn/normalization.h>

namespace reprise::nn {

BatchNorm::BatchNorm(std::int64_t channels, BatchNormOptions options) : options_(options) {
  if (options.affine) {
    weight = add_parameter("weight", ones({channels}));
    bias = add_parameter("bias", zeros({channels}));
  }
  if (!options.track_running_stats) return;
  running_mean = add_buffer("running_mean", zeros({channels}));
  running_var = add_buffer("running_var", ones({channels}));
  num_batches_tracked = add_buffer("num_batches_tracked", zeros({}, DType::i64));
}

Tensor BatchNorm::forward(const Tensor& input) {
  const bool own_statistics = is_training() || !running_mean.defined();
  if (is_training() && num_batches_tracked.defined()) no_grad([&] { num_batches_tracked.add_(1); });
  return batch_norm(input, is_training() || !own_statistics ? running_mean : Tensor(),
                    is_training() || !own_statistics ? running_var : Tensor(), weight, bias, own_statistics,
                    options_.momentum, options_.epsilon);
}

GroupNorm::GroupNorm(std::int64_t groups, std::int64_t channels, double epsilon, bool affine)
    : groups_(groups), epsilon_(epsilon) {
  check(groups > 0 && channels % groups == 0, "GroupNorm: ", groups, " groups do not divide ", channels, " channels");
  if (!affine) return;
  weight = add_parameter("weight", ones({channels}));
  bias = add_parameter("bias", zeros({channels}));
}

RMSNorm::RMSNorm(std::int64_t size, double epsilon) : epsilon_(epsilon) {
  weight = add_parameter("weight", ones({size}));
}

}  // namespace reprise::nn
