#include "raw/convolution.h"

#include "raw/elementwise.h"
#include "raw/empty.h"
#include "raw/launch.h"
#include "raw/matmul.h"
#include "raw/reduce.h"
#include "raw/single_precision.h"
#include "raw/views.h"

namespace reprise::raw {
namespace {

struct Shape {
  int batch, in, height, width, out, rows, columns, out_height, out_width, stride, padding, dilation;

  int terms() const { return in * rows * columns; }
  std::int64_t places() const { return std::int64_t(out_height) * out_width; }
};

#ifdef REPRISE_GPU
// A thread has one place of the result and eight of its channels: it reads each input once for all of them, and
// neighbours read neighbours.
constexpr int channels_of_thread = 8;

__global__ void convolve(float* y, const float* x, const float* weight, const float* bias, Shape s) {
  extern __shared__ float filters[];  // those of the block's channels, [term][channel]
  const int terms = s.in * s.rows * s.columns, first = blockIdx.y * channels_of_thread;
  for (int i = threadIdx.x; i < terms * channels_of_thread; i += blockDim.x) {
    const int channel = first + i % channels_of_thread;
    filters[i] = channel < s.out ? weight[std::int64_t(channel) * terms + i / channels_of_thread] : 0;
  }
  __syncthreads();
  const int places = s.out_height * s.out_width, place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= places) return;
  const int row = place / s.out_width * s.stride - s.padding, column = place % s.out_width * s.stride - s.padding;
  x += std::int64_t(blockIdx.z) * s.in * s.height * s.width;
  float sums[channels_of_thread] = {};
  const float* filter = filters;
  for (int channel = 0; channel < s.in; ++channel) {
    for (int i = 0; i < s.rows; ++i) {
      for (int j = 0; j < s.columns; ++j, filter += channels_of_thread) {
        const int r = row + i * s.dilation, c = column + j * s.dilation;
        const bool inside = r >= 0 && r < s.height && c >= 0 && c < s.width;
        const float value = inside ? x[(channel * s.height + r) * s.width + c] : 0;
#pragma unroll
        for (int k = 0; k < channels_of_thread; ++k) sums[k] += value * filter[k];
      }
    }
  }
  y += (std::int64_t(blockIdx.z) * s.out + first) * places + place;
#pragma unroll
  for (int k = 0; k < channels_of_thread; ++k) {
    if (first + k < s.out) y[std::int64_t(k) * places] = sums[k] + (bias ? bias[first + k] : 0);
  }
}
#else
// A thread has one row of the result in one channel: each term is added to the whole row, which is a vector.
__global__ void convolve(float* __restrict__ y, const float* __restrict__ x, const float* __restrict__ weight, const float* bias, Shape s) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
  if (row >= s.out_height) return;
  y += ((std::int64_t(blockIdx.z) * s.out + channel) * s.out_height + row) * s.out_width;
  x += std::int64_t(blockIdx.z) * s.in * s.height * s.width;
  weight += std::int64_t(channel) * s.in * s.rows * s.columns;
  const float first = bias ? bias[channel] : 0;
  for (int c = 0; c < s.out_width; ++c) y[c] = first;
  for (int in = 0; in < s.in; ++in) {
    for (int i = 0; i < s.rows; ++i) {
      const int r = row * s.stride - s.padding + i * s.dilation;
      if (r < 0 || r >= s.height) continue;
      const float* line = x + (std::int64_t(in) * s.height + r) * s.width;
      for (int j = 0; j < s.columns; ++j) {
        const float factor = weight[(in * s.rows + i) * s.columns + j];
        const int shift = j * s.dilation - s.padding;
        // The results whose input is inside the image.
        const int begin = shift < 0 ? (-shift + s.stride - 1) / s.stride : 0;
        const int end = ::min(s.out_width, shift < s.width ? (s.width - shift - 1) / s.stride + 1 : 0);
        if (s.stride == 1) {
          for (int c = begin; c < end; ++c) y[c] += factor * line[c + shift];
        } else {
          for (int c = begin; c < end; ++c) y[c] += factor * line[c * s.stride + shift];
        }
      }
    }
  }
}
#endif

// The inputs of each place of the result as a column: [batch, in * rows * columns, out_height * out_width].
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

// The reverse: each input sums what its windows have for it.
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
  check(c.stride > 0 && c.padding >= 0 && c.dilation > 0, operation, ": stride ", c.stride, ", padding ", c.padding, ", dilation ", c.dilation);
  auto results = [&](std::int64_t length, std::int64_t filter) { return (length + 2 * c.padding - c.dilation * (filter - 1) - 1) / c.stride + 1; };
  check(x[2] + 2 * c.padding > c.dilation * (weight[2] - 1) && x[3] + 2 * c.padding > c.dilation * (weight[3] - 1), operation, ": filters of ",
        weight, " are larger than images of ", x, " with padding ", c.padding);
  auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
  return {narrow(x[0]), narrow(x[1]), narrow(x[2]), narrow(x[3]), narrow(weight[0]), narrow(weight[2]), narrow(weight[3]),
          narrow(results(x[2], weight[2])), narrow(results(x[3], weight[3])), narrow(c.stride), narrow(c.padding), narrow(c.dilation)};
}

Tensor spread(const Tensor& x, const Shape& s) {
  Tensor columns = empty({s.batch, s.terms(), s.places()});
  if (const std::int64_t n = columns.numel(); n > 0) {
    spread_windows<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(columns.data<float>(), x.data<float>(), s, n);
    check_launch("conv2d");
  }
  return columns;
}

// Few terms: the filters of eight channels fit into shared memory, and a product of matrices would be too thin to pay for
// its copies.
bool direct(const Shape& s) { return s.terms() <= 512; }

#ifdef REPRISE_GPU
void convolve_directly(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias, const Shape& s) {
  constexpr unsigned threads = 128;
  const dim3 grid(static_cast<unsigned>((s.places() + threads - 1) / threads),
                  static_cast<unsigned>((s.out + channels_of_thread - 1) / channels_of_thread), static_cast<unsigned>(s.batch));
  const std::size_t shared = static_cast<std::size_t>(s.terms()) * channels_of_thread * sizeof(float);
  convolve<<<grid, threads, shared, current_stream()>>>(y.data<float>(), x.data<float>(), weight.data<float>(),
                                                        bias.defined() ? bias.data<float>() : nullptr, s);
  check_launch("conv2d");
}
#else
void convolve_directly(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias, const Shape& s) {
  const dim3 grid(static_cast<unsigned>((s.out_height + 7) / 8), static_cast<unsigned>(s.out), static_cast<unsigned>(s.batch));
  convolve<<<grid, 8, 0, current_stream()>>>(y.data<float>(), x.data<float>(), weight.data<float>(),
                                             bias.defined() ? bias.data<float>() : nullptr, s);
  check_launch("conv2d");
}
#endif

}  // namespace

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Convolution& convolution) {
  const Shape s = shape_of("conv2d", x.sizes(), weight.sizes(), convolution);
  check(!bias.defined() || (bias.dim() == 1 && bias.size(0) == s.out), "conv2d: a bias of ", bias.defined() ? bias.sizes() : Sizes{}, " for filters of ",
        weight.sizes());
  const Tensor from = single_precision(x, "conv2d"), w = single_precision(weight, "conv2d");
  const Tensor b = bias.defined() ? single_precision(bias, "conv2d") : bias;
  Tensor y = empty({s.batch, s.out, s.out_height, s.out_width});
  if (y.numel() == 0) return to(y, x.dtype());
  if (direct(s)) {
    convolve_directly(y, from, w, b, s);
  } else {
    matmul_out(raw::view(y, {s.batch, s.out, s.places()}), raw::expand(raw::view(w, {1, s.out, s.terms()}), {s.batch, s.out, s.terms()}), spread(from, s));
    if (b.defined()) add_(y, raw::view(b, {1, s.out, 1, 1}));
  }
  return to(y, x.dtype());
}

Tensor conv2d_input_gradient(const Tensor& grad, const Tensor& weight, const Sizes& input_sizes, const Convolution& convolution) {
  const Shape s = shape_of("conv2d_input_gradient", input_sizes, weight.sizes(), convolution);
  const Tensor g = single_precision(grad, "conv2d_input_gradient"), w = single_precision(weight, "conv2d_input_gradient");
  Tensor columns = empty({s.batch, s.terms(), s.places()});
  const Tensor filters = raw::expand(raw::transpose(raw::view(w, {1, s.out, s.terms()}), 1, 2), {s.batch, s.terms(), s.out});
  matmul_out(columns, filters, raw::view(g, {s.batch, s.out, s.places()}));
  Tensor x = empty(input_sizes);
  if (const std::int64_t n = x.numel(); n > 0) {
    gather_windows<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(x.data<float>(), columns.data<float>(), s, n);
    check_launch("conv2d_input_gradient");
  }
  return to(x, grad.dtype());
}

Tensor conv2d_weight_gradient(const Tensor& grad, const Tensor& x, const Sizes& weight_sizes, const Convolution& convolution) {
  const Shape s = shape_of("conv2d_weight_gradient", x.sizes(), weight_sizes, convolution);
  const Tensor g = single_precision(grad, "conv2d_weight_gradient"), from = single_precision(x, "conv2d_weight_gradient");
  Tensor each = empty({s.batch, s.out, s.terms()});
  matmul_out(each, raw::view(g, {s.batch, s.out, s.places()}), raw::transpose(spread(from, s), 1, 2));
  return to(raw::view(sum(each, {0}), weight_sizes), grad.dtype());
}

}  // namespace reprise::raw
