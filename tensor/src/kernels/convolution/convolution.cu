#include "kernels/convolution/convolution.h"
#include "kernels/convolution/direct_convolution.h"
#include "kernels/device/launch.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/matrix/matmul.h"
#include "kernels/reduction/reduce.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

using Shape = ConvolutionShape;

// im2col: the inputs of each output position as a column, [batch, in * rows * columns, out_height * out_width].
__global__ void spread_windows(float* columns, const float* x, Shape s, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int places = s.out_height * s.out_width;
  const int place = static_cast<int>(i % places);
  const std::int64_t line = i / places;
  const int terms = s.in * s.rows * s.columns, term = static_cast<int>(line % terms);
  const int j = term % s.columns, k = term / s.columns % s.rows, channel = term / (s.columns * s.rows);
  const int row = place / s.out_width * s.stride - s.padding + k * s.dilation;
  const int column = place % s.out_width * s.stride - s.padding + j * s.dilation;
  const bool inside = row >= 0 && row < s.height && column >= 0 && column < s.width;
  columns[i] = inside ? x[((line / terms * s.in + channel) * s.height + row) * s.width + column] : 0;
}

// col2im: each input sums the contributions of its windows.
__global__ void gather_windows(float* x, const float* columns, Shape s, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int column = static_cast<int>(i % s.width), row = static_cast<int>(i / s.width % s.height);
  const int places = s.out_height * s.out_width;
  columns += i / (s.width * s.height) * s.rows * s.columns * places;
  float sum = 0;
  for (int k = 0; k < s.rows; ++k) {
    const int r = row + s.padding - k * s.dilation;
    if (r < 0 || r % s.stride != 0 || r / s.stride >= s.out_height) continue;
    for (int j = 0; j < s.columns; ++j) {
      const int c = column + s.padding - j * s.dilation;
      if (c < 0 || c % s.stride != 0 || c / s.stride >= s.out_width) continue;
      sum += columns[std::int64_t(k * s.columns + j) * places + r / s.stride * s.out_width + c / s.stride];
    }
  }
  x[i] = sum;
}

Shape shape_of(const char* operation, const Sizes& x, const Sizes& weight, const Convolution& c) {
  check(x.size() == 4 && weight.size() == 4 && x[1] == weight[1], operation,
        ": expects images [batch, in, height, width] and filters [out, in, rows, columns], not ", x, " and ", weight);
  check(c.stride > 0 && c.padding >= 0 && c.dilation > 0, operation, ": stride ", c.stride, ", padding ", c.padding,
        ", dilation ", c.dilation, " for ", x, " by ", weight);
  auto results = [&](std::int64_t length, std::int64_t filter) {
    return (length + 2 * c.padding - c.dilation * (filter - 1) - 1) / c.stride + 1;
  };
  check(x[2] + 2 * c.padding > c.dilation * (weight[2] - 1) && x[3] + 2 * c.padding > c.dilation * (weight[3] - 1),
        operation, ": filters of ", weight, " are larger than images of ", x, " with padding ", c.padding);
  auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
  return {narrow(x[0]),
          narrow(x[1]),
          narrow(x[2]),
          narrow(x[3]),
          narrow(weight[0]),
          narrow(weight[2]),
          narrow(weight[3]),
          narrow(results(x[2], weight[2])),
          narrow(results(x[3], weight[3])),
          narrow(c.stride),
          narrow(c.padding),
          narrow(c.dilation)};
}

Tensor spread(const Tensor& x, const Shape& s) {
  Tensor columns = empty({s.batch, s.terms(), s.places()});
  if (const std::int64_t n = columns.numel(); n > 0) {
    spread_windows<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(columns.data<float>(), x.data<float>(), s,
                                                                              n);
    check_launch("conv2d");
  }
  return columns;
}

}  // namespace

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Convolution& convolution) {
  const Shape s = shape_of("conv2d", x.sizes(), weight.sizes(), convolution);
  check(!bias.defined() || (bias.dim() == 1 && bias.size(0) == s.out), "conv2d: a bias of ",
        bias.defined() ? bias.sizes() : Sizes{}, " for filters of ", weight.sizes());
  const Tensor from = single_precision(x, "conv2d"), w = single_precision(weight, "conv2d");
  const Tensor b = bias.defined() ? single_precision(bias, "conv2d") : bias;
  Tensor y = empty({s.batch, s.out, s.out_height, s.out_width});
  if (y.numel() == 0) return to(y, x.dtype());
  if (fits_directly(s)) {
    convolve_directly(y, from, w, b, s);
  } else {
    matmul_out(kernels::view(y, {s.batch, s.out, s.places()}),
               kernels::expand(kernels::view(w, {1, s.out, s.terms()}), {s.batch, s.out, s.terms()}), spread(from, s));
    if (b.defined()) add_(y, kernels::view(b, {1, s.out, 1, 1}));
  }
  return to(y, x.dtype());
}

Tensor conv2d_input_gradient(const Tensor& grad, const Tensor& weight, const Sizes& input_sizes,
                             const Convolution& convolution) {
  const Shape s = shape_of("conv2d_input_gradient", input_sizes, weight.sizes(), convolution);
  const Tensor g = single_precision(grad, "conv2d_input_gradient"),
               w = single_precision(weight, "conv2d_input_gradient");
  Tensor columns = empty({s.batch, s.terms(), s.places()});
  const Tensor filters =
      kernels::expand(kernels::transpose(kernels::view(w, {1, s.out, s.terms()}), 1, 2), {s.batch, s.terms(), s.out});
  matmul_out(columns, filters, kernels::view(g, {s.batch, s.out, s.places()}));
  Tensor x = empty(input_sizes);
  if (const std::int64_t n = x.numel(); n > 0) {
    gather_windows<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(x.data<float>(), columns.data<float>(), s,
                                                                              n);
    check_launch("conv2d_input_gradient");
  }
  return to(x, grad.dtype());
}

Tensor conv2d_weight_gradient(const Tensor& grad, const Tensor& x, const Sizes& weight_sizes,
                              const Convolution& convolution) {
  const Shape s = shape_of("conv2d_weight_gradient", x.sizes(), weight_sizes, convolution);
  const Tensor g = single_precision(grad, "conv2d_weight_gradient"),
               from = single_precision(x, "conv2d_weight_gradient");
  Tensor each = empty({s.batch, s.out, s.terms()});
  matmul_out(each, kernels::view(g, {s.batch, s.out, s.places()}), kernels::transpose(spread(from, s), 1, 2));
  return to(kernels::view(sum(each, {0}), weight_sizes), grad.dtype());
}

}  // namespace reprise::kernels
