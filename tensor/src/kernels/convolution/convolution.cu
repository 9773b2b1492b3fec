#include <cstring>

#include "kernels/convolution/convolution.h"
#include "kernels/convolution/cudnn_convolution.h"
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
  const int terms = s.in * s.rows * s.columns, term = static_cast<int>(line % terms);  // of all groups
  const int j = term % s.columns, k = term / s.columns % s.rows, channel = term / (s.columns * s.rows);
  const int row = place / s.out_width * s.stride_h - s.padding_h + k * s.dilation_h;
  const int column = place % s.out_width * s.stride_w - s.padding_w + j * s.dilation_w;
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
    const int r = row + s.padding_h - k * s.dilation_h;
    if (r < 0 || r % s.stride_h != 0 || r / s.stride_h >= s.out_height) continue;
    for (int j = 0; j < s.columns; ++j) {
      const int c = column + s.padding_w - j * s.dilation_w;
      if (c < 0 || c % s.stride_w != 0 || c / s.stride_w >= s.out_width) continue;
      sum += columns[std::int64_t(k * s.columns + j) * places + r / s.stride_h * s.out_width + c / s.stride_w];
    }
  }
  x[i] = sum;
}

Shape shape_of(const char* operation, const Sizes& x, const Sizes& weight, const Convolution& c) {
  check(
      x.size() == 4 && weight.size() == 4 && c.groups > 0 && x[1] == weight[1] * c.groups && weight[0] % c.groups == 0,
      operation, ": expects images [batch, in, height, width] and filters [out, in / groups, rows, columns], not ", x,
      " and ", weight, " in ", c.groups, c.groups == 1 ? " group" : " groups");
  check(std::min(c.stride.height, c.stride.width) > 0 && std::min(c.padding.height, c.padding.width) >= 0 &&
            std::min(c.dilation.height, c.dilation.width) > 0,
        operation, ": stride ", c.stride, ", padding ", c.padding, ", dilation ", c.dilation, " for ", x, " by ",
        weight);
  auto results = [&](std::int64_t length, std::int64_t filter, std::int64_t stride, std::int64_t padding,
                     std::int64_t dilation) {
    const std::int64_t free = length + 2 * padding - dilation * (filter - 1) - 1;
    check(free >= 0, operation, ": filters of ", weight, " are larger than images of ", x, " with padding ", c.padding);
    return free / stride + 1;
  };
  const std::int64_t numbers[] = {x[0],
                                  x[1],
                                  x[2],
                                  x[3],
                                  weight[0],
                                  weight[2],
                                  weight[3],
                                  results(x[2], weight[2], c.stride.height, c.padding.height, c.dilation.height),
                                  results(x[3], weight[3], c.stride.width, c.padding.width, c.dilation.width),
                                  c.stride.height,
                                  c.stride.width,
                                  c.padding.height,
                                  c.padding.width,
                                  c.dilation.height,
                                  c.dilation.width,
                                  c.groups};
  constexpr int count = sizeof numbers / sizeof numbers[0];
  static_assert(sizeof(Shape) == count * sizeof(int), "one for each member, in their order");
  int narrow[count];
  for (int i = 0; i < count; ++i) narrow[i] = static_cast<int>(numbers[i]);
  Shape shape;
  std::memcpy(&shape, narrow, sizeof shape);
  return shape;
}

// The windows of the groups as matrices, and the filters of the groups beside them.
Sizes windows_of_groups(const Shape& s) { return {s.batch, s.groups, s.terms(), s.places()}; }
Sizes results_of_groups(const Shape& s) { return {s.batch, s.groups, s.out / s.groups, s.places()}; }
Tensor filters_of_groups(const Tensor& weight, const Shape& s) {
  return kernels::expand(kernels::view(weight, {1, s.groups, s.out / s.groups, s.terms()}),
                         {s.batch, s.groups, s.out / s.groups, s.terms()});
}

Tensor spread(const Tensor& x, const Shape& s) {
  Tensor columns = empty(windows_of_groups(s));
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
  if (cudnn_forward(y, from, w, b, s)) return to(y, x.dtype());
  if (fits_directly(s)) {
    convolve_directly(y, from, w, b, s);
  } else {
    matmul_out(kernels::view(y, results_of_groups(s)), filters_of_groups(w, s), spread(from, s));
    if (b.defined()) add_(y, kernels::view(b, {1, s.out, 1, 1}));
  }
  return to(y, x.dtype());
}

Tensor conv2d_input_gradient(const Tensor& grad, const Tensor& weight, const Sizes& input_sizes,
                             const Convolution& convolution) {
  const Shape s = shape_of("conv2d_input_gradient", input_sizes, weight.sizes(), convolution);
  const Tensor g = single_precision(grad, "conv2d_input_gradient"),
               w = single_precision(weight, "conv2d_input_gradient");
  Tensor x = empty(input_sizes);
  if (x.numel() > 0 && g.numel() > 0 && cudnn_backward_data(x, g, w, s)) return to(x, grad.dtype());
  Tensor columns = empty(windows_of_groups(s));
  matmul_out(columns, kernels::transpose(filters_of_groups(w, s), -2, -1), kernels::view(g, results_of_groups(s)));
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
  Tensor dw = empty(weight_sizes);
  if (dw.numel() > 0 && g.numel() > 0 && from.numel() > 0 && cudnn_backward_filter(dw, g, from, s))
    return to(dw, grad.dtype());
  Tensor each = empty({s.batch, s.groups, s.out / s.groups, s.terms()});
  matmul_out(each, kernels::view(g, results_of_groups(s)), kernels::transpose(spread(from, s), -2, -1));
  return to(kernels::view(sum(each, {0}), weight_sizes), grad.dtype());
}

}  // namespace reprise::kernels
