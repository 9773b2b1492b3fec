#include <reprise/factories.h>
#include <reprise/nn/convolutions.h>

#include <cmath>

namespace reprise::nn {
namespace {

double bound_of(std::int64_t fan_in) { return fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0; }

}  // namespace

Conv1d::Conv1d(std::int64_t in_channels, std::int64_t out_channels, std::int64_t kernel_size, Conv1dOptions options)
    : options_(options) {
  check(options.groups > 0 && in_channels % options.groups == 0 && out_channels % options.groups == 0,
        "Conv1d: ", options.groups, " groups do not divide ", in_channels, " and ", out_channels, " channels");
  const std::int64_t of_group = in_channels / options.groups;
  const double bound = bound_of(of_group * kernel_size);
  weight = add_parameter("weight", empty({out_channels, of_group, kernel_size}).uniform_(-bound, bound));
  if (options.bias) bias = add_parameter("bias", empty({out_channels}).uniform_(-bound, bound));
}

ConvTranspose2d::ConvTranspose2d(std::int64_t in_channels, std::int64_t out_channels, IntPair kernel_size,
                                 ConvTranspose2dOptions options)
    : options_(options) {
  check(options.groups > 0 && in_channels % options.groups == 0 && out_channels % options.groups == 0,
        "ConvTranspose2d: ", options.groups, " groups do not divide ", in_channels, " and ", out_channels, " channels");
  const std::int64_t of_group = out_channels / options.groups;
  const double bound = bound_of(of_group * kernel_size.height * kernel_size.width);
  weight = add_parameter("weight",
                         empty({in_channels, of_group, kernel_size.height, kernel_size.width}).uniform_(-bound, bound));
  if (options.bias) bias = add_parameter("bias", empty({out_channels}).uniform_(-bound, bound));
}

}  // namespace reprise::nn
