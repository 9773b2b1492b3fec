#include "kernels/convolution/direct_convolution.h"
#include "kernels/device/launch.h"

namespace reprise::kernels {
namespace {

using Shape = ConvolutionShape;

#ifdef REPRISE_GPU
constexpr int most_terms = 512;

// A thread computes `places` adjacent outputs of a row in `channels` channels. It reads each input once for all of
// them, and adjacent threads read adjacent inputs. It loads the windows of `group` input channels together to hide
// their latency, and the first ones while the filters are being loaded.
template <int side, int group, int channels, int places>
__global__ void convolve_squares(float* __restrict__ y, const float* __restrict__ x, const float* __restrict__ weight,
                                 const float* __restrict__ bias, Shape s) {
  extern __shared__ float4 fours_of_filters[];
  float* filters = reinterpret_cast<float*>(fours_of_filters);  // those of the block's channels, [term][channel]
  constexpr int width = side + places - 1;
  const int terms = s.in * side * side, first = blockIdx.y * channels;
  const int of_row = (s.out_width + places - 1) / places, item = blockIdx.x * blockDim.x + threadIdx.x;
  const int out_row = item / of_row, out_column = (item - out_row * of_row) * places;
  const int row = out_row * s.stride_h - s.padding_h, column = out_column * s.stride_h - s.padding_h;
  x += std::int64_t(blockIdx.z) * s.in * s.height * s.width;
  float window[group][side][width];
  auto read = [&](int channel) {
#pragma unroll
    for (int g = 0; g < group; ++g) {
#pragma unroll
      for (int i = 0; i < side; ++i) {
        const int r = row + i * s.dilation_h;
        const bool inside = out_row < s.out_height && unsigned(r) < unsigned(s.height);
        const float* line = x + std::int64_t((channel + g) * s.height + r) * s.width;
#pragma unroll
        for (int j = 0; j < width; ++j) {
          const int c = column + j * s.dilation_h;
          window[g][i][j] = inside && unsigned(c) < unsigned(s.width) ? line[c] : 0;
        }
      }
    }
  };
  read(0);
  for (int i = threadIdx.x; i < terms * channels; i += blockDim.x) {
    const int channel = first + i % channels;
    filters[i] = channel < s.out ? weight[channel * terms + i / channels] : 0;
  }
  __syncthreads();
  float sums[channels][places] = {};
  for (int channel = 0; channel < s.in; channel += group) {
    if (channel > 0) read(channel);
    const float4* filter = fours_of_filters + channel * side * side * channels / 4;
#pragma unroll
    for (int g = 0; g < group; ++g) {
#pragma unroll
      for (int i = 0; i < side; ++i) {
#pragma unroll
        for (int j = 0; j < side; ++j, filter += channels / 4) {
#pragma unroll
          for (int k = 0; k < channels; k += 4) {
            const float4 factors = filter[k / 4];
#pragma unroll
            for (int p = 0; p < places; ++p) {
              const float value = window[g][i][j + p];
              sums[k][p] += value * factors.x;
              sums[k + 1][p] += value * factors.y;
              sums[k + 2][p] += value * factors.z;
              sums[k + 3][p] += value * factors.w;
            }
          }
        }
      }
    }
  }
  if (out_row >= s.out_height) return;
  const std::int64_t size = std::int64_t(s.out_height) * s.out_width;
  y += (std::int64_t(blockIdx.z) * s.out + first) * size + out_row * s.out_width + out_column;
  const bool pairs = places == 2 && s.out_width % 2 == 0;
#pragma unroll
  for (int k = 0; k < channels; ++k) {
    if (first + k >= s.out) break;
    const float more = bias ? bias[first + k] : 0;
    float* to = y + k * size;
    if (pairs) {
      *reinterpret_cast<float2*>(to) = make_float2(sums[k][0] + more, sums[k][places - 1] + more);
    } else {
#pragma unroll
      for (int p = 0; p < places; ++p) {
        if (p == 0 || out_column + p < s.out_width) to[p] = sums[k][p] + more;
      }
    }
  }
}

using Convolve = void (*)(float*, const float*, const float*, const float*, Shape);

// Selects the instance whose group size divides the number of input channels.
template <int channels, int places>
Convolve squares_in_groups(int in) {
  if (in % 4 == 0) return convolve_squares<3, 4, channels, places>;
  if (in % 3 == 0) return convolve_squares<3, 3, channels, places>;
  return in % 2 == 0 ? convolve_squares<3, 2, channels, places> : convolve_squares<3, 1, channels, places>;
}

// Filters of any size: a thread computes one output position.
constexpr int channels_of_thread = 8;

__global__ void convolve_any(float* y, const float* x, const float* weight, const float* bias, Shape s) {
  extern __shared__ float filters[];  // those of the block's channels, [term][channel]
  const int terms = s.in * s.rows * s.columns, first = blockIdx.y * channels_of_thread;
  for (int i = threadIdx.x; i < terms * channels_of_thread; i += blockDim.x) {
    const int channel = first + i % channels_of_thread;
    filters[i] = channel < s.out ? weight[std::int64_t(channel) * terms + i / channels_of_thread] : 0;
  }
  __syncthreads();
  const int places = s.out_height * s.out_width, place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= places) return;
  const int row = place / s.out_width * s.stride_h - s.padding_h,
            column = place % s.out_width * s.stride_h - s.padding_h;
  x += std::int64_t(blockIdx.z) * s.in * s.height * s.width;
  float sums[channels_of_thread] = {};
  const float* filter = filters;
  for (int channel = 0; channel < s.in; ++channel) {
    for (int i = 0; i < s.rows; ++i) {
      for (int j = 0; j < s.columns; ++j, filter += channels_of_thread) {
        const int r = row + i * s.dilation_h, c = column + j * s.dilation_h;
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
typedef float Eight __attribute__((vector_size(32), aligned(4)));
constexpr int at_once = 16;  // outputs of a row that are computed together
constexpr int strip = 32;    // outputs of a row whose inputs are loaded together
constexpr int most_terms = 384;

// The input lines that a strip of outputs needs, padded with zeros outside the image. If adjacent outputs do not read
// adjacent inputs, there is a line for each column of the filters: [in][row][column][result].
struct Lines {
  bool shared;             // by all columns of the filters
  int of_line, of_column;  // distances

  __host__ __device__ Lines(const Shape& s) {
    shared = s.stride_h == 1 && (s.columns - 1) * s.dilation_h <= strip;
    of_column = shared ? s.dilation_h : strip;
    of_line = shared ? strip + (s.columns - 1) * s.dilation_h : s.columns * strip;
  }
};

// Loads `count` inputs of a line from column `first`, `stride` apart; `line` is null outside the image.
__device__ void bring(float* to, const float* line, int first, int stride, int count, int width) {
  // Those that are inside.
  const int begin = !line ? count : ::min(count, first < 0 ? (-first + stride - 1) / stride : 0);
  const int end = ::max(begin, first < width ? ::min(count, (width - 1 - first) / stride + 1) : 0);
  for (int c = 0; c < begin; ++c) to[c] = 0;
  if (stride == 1) {
    for (int c = begin; c < end; ++c) to[c] = line[first + c];
  } else {
    for (int c = begin; c < end; ++c) to[c] = line[first + c * stride];
  }
  for (int c = end; c < count; ++c) to[c] = 0;
}

// Computes `count` (at most at_once) outputs in up to four channels from `channel`.
__device__ void apply_filters(float* y, int count, const float* inputs, const Lines& lines, const float* weight,
                              const float* bias, int channel, const Shape& s) {
  const int terms = s.in * s.rows * s.columns;
  const float* filters[4];
  Eight sums[4][2];
  for (int k = 0; k < 4; ++k) {
    const int own = ::min(channel + k, s.out - 1);
    filters[k] = weight + std::int64_t(own) * terms;
    for (int v = 0; v < 2; ++v) sums[k][v] = Eight{} + (bias ? bias[own] : 0);
  }
  int term = 0;
  for (int line = 0; line < s.in * s.rows; ++line) {
    const float* from = inputs + line * lines.of_line;
    for (int j = 0; j < s.columns; ++j, ++term, from += lines.of_column) {
      const Eight left = *reinterpret_cast<const Eight*>(from), right = *reinterpret_cast<const Eight*>(from + 8);
      for (int k = 0; k < 4; ++k) {
        sums[k][0] += filters[k][term] * left;
        sums[k][1] += filters[k][term] * right;
      }
    }
  }
  const std::int64_t places = std::int64_t(s.out_height) * s.out_width;
  for (int k = 0; k < 4 && channel + k < s.out; ++k) {
    float* to = y + (channel + k) * places;
    if (count == at_once) {
      *reinterpret_cast<Eight*>(to) = sums[k][0];
      *reinterpret_cast<Eight*>(to + 8) = sums[k][1];
    } else {
      float all[at_once];
      *reinterpret_cast<Eight*>(all) = sums[k][0];
      *reinterpret_cast<Eight*>(all + 8) = sums[k][1];
      for (int c = 0; c < count; ++c) to[c] = all[c];
    }
  }
}

// A block of one thread computes an output row in all channels, strip by strip: the inputs of a strip stay in the cache
// while all filters are applied to them.
__global__ void convolve(float* y, const float* x, const float* weight, const float* bias, Shape s) {
  extern __shared__ float inputs[];
  const int row = blockIdx.x;
  const Lines lines(s);
  x += std::int64_t(blockIdx.y) * s.in * s.height * s.width;
  y += std::int64_t(blockIdx.y) * s.out * s.out_height * s.out_width + std::int64_t(row) * s.out_width;
  for (int first = 0; first < s.out_width; first += strip) {
    const int results = ::min(strip, s.out_width - first);
    for (int line = 0; line < s.in * s.rows; ++line) {
      const int r = row * s.stride_h - s.padding_h + line % s.rows * s.dilation_h;
      const float* from = r >= 0 && r < s.height ? x + (std::int64_t(line / s.rows) * s.height + r) * s.width : nullptr;
      const int column = first * s.stride_h - s.padding_h;
      float* to = inputs + line * lines.of_line;
      if (lines.shared) {
        bring(to, from, column, 1, lines.of_line, s.width);
      } else {
        for (int j = 0; j < s.columns; ++j)
          bring(to + j * strip, from, column + j * s.dilation_h, s.stride_h, strip, s.width);
      }
    }
    for (int channel = 0; channel < s.out; channel += 4) {
      for (int c = 0; c < results; c += at_once)
        apply_filters(y + first + c, ::min(at_once, results - c), inputs + c, lines, weight, bias, channel, s);
    }
  }
}
#endif

}  // namespace

bool fits_directly(const Shape& s) {
  return s.terms() <= most_terms && s.groups == 1 && s.stride_h == s.stride_w && s.padding_h == s.padding_w &&
         s.dilation_h == s.dilation_w;
}

#ifdef REPRISE_GPU
void convolve_directly(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias, const Shape& s) {
  constexpr unsigned threads = 128;
  auto grid = [&](int channels, int places) {
    const std::int64_t items = std::int64_t(s.out_width + places - 1) / places * s.out_height;
    return dim3(static_cast<unsigned>((items + threads - 1) / threads),
                static_cast<unsigned>((s.out + channels - 1) / channels), static_cast<unsigned>(s.batch));
  };
  auto launch = [&](Convolve kernel, int channels, int places) {
    const std::size_t shared = static_cast<std::size_t>(s.terms()) * channels * sizeof(float);
    kernel<<<grid(channels, places), threads, shared, current_stream()>>>(
        y.data<float>(), x.data<float>(), weight.data<float>(), bias.defined() ? bias.data<float>() : nullptr, s);
    check_launch("conv2d");
  };
  // More outputs per thread mean fewer reads per output. But there must be enough work for four blocks on each
  // multiprocessor (of an H200), and filters of sixteen channels must leave shared memory for other blocks.
  auto enough = [&](int channels, int places) {
    const dim3 blocks = grid(channels, places);
    return std::int64_t(blocks.x) * blocks.y * blocks.z >= 4 * 132;
  };
  const bool neighbours = s.stride_h == 1 && s.dilation_h == 1;  // windows of neighbours overlap
  if (s.rows != 3 || s.columns != 3) return launch(convolve_any, channels_of_thread, 1);
  if (neighbours && enough(16, 2) && s.terms() <= 256) return launch(convolve_squares<3, 1, 16, 2>, 16, 2);
  if (neighbours && enough(8, 2)) return launch(squares_in_groups<8, 2>(s.in), 8, 2);
  if (enough(8, 1)) return launch(convolve_squares<3, 1, 8, 1>, 8, 1);
  launch(squares_in_groups<4, 1>(s.in), 4, 1);
}
#else
void convolve_directly(const Tensor& y, const Tensor& x, const Tensor& weight, const Tensor& bias, const Shape& s) {
  const dim3 grid(static_cast<unsigned>(s.out_height), static_cast<unsigned>(s.batch));
  const std::size_t shared = static_cast<std::size_t>(s.in) * s.rows * Lines(s).of_line * sizeof(float);
  convolve<<<grid, 1, shared, current_stream()>>>(y.data<float>(), x.data<float>(), weight.data<float>(),
                                                  bias.defined() ? bias.data<float>() : nullptr, s);
  check_launch("conv2d");
}
#endif

}  // namespace reprise::kernels
