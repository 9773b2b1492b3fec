#include "kernels/convolution/pool.h"
#include "kernels/device/launch.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"

namespace reprise::kernels {
namespace {

struct Plane {
  int height, width, out_height, out_width, size, stride, padding;

  // The windows [first, end) of `count` in a line that cover position `at`.
  __device__ void covering(int at, int count, int& first, int& end) const {
    const int padded = at + padding;
    first = padded < size ? 0 : (padded - size) / stride + 1;
    end = min(padded / stride + 1, count);
  }
};

struct Place {
  std::int64_t plane;
  int row, column;
};

__device__ Place place_of(std::int64_t i, int height, int width) {
  const int within = static_cast<int>(i % (height * width));
  return {i / (height * width), within / width, within % width};
}

__global__ void max_windows(float* y, std::int64_t* places, const float* x, Plane p, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Place at = place_of(i, p.out_height, p.out_width);
  x += at.plane * p.height * p.width;
  const int top = at.row * p.stride - p.padding, left = at.column * p.stride - p.padding;
  float most = -INFINITY;
  int place = max(top, 0) * p.width + max(left, 0);
  for (int row = max(top, 0); row < min(top + p.size, p.height); ++row) {
    for (int column = max(left, 0); column < min(left + p.size, p.width); ++column) {
      const float value = x[row * p.width + column];
      if (value > most || value != value) {
        most = value;
        place = row * p.width + column;
      }
    }
  }
  y[i] = most;
  places[i] = place;
}

// Each input checks the windows that cover it, so that no two threads write to the same address.
__global__ void max_windows_backward(float* to, const float* grad, const std::int64_t* places, Plane p,
                                     std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Place at = place_of(i, p.height, p.width);
  const std::int64_t plane = at.plane * p.out_height * p.out_width;
  int top, bottom, left, right;
  p.covering(at.row, p.out_height, top, bottom);
  p.covering(at.column, p.out_width, left, right);
  float sum = 0;
  for (int row = top; row < bottom; ++row) {
    for (int column = left; column < right; ++column) {
      const std::int64_t window = plane + row * p.out_width + column;
      if (places[window] == at.row * p.width + at.column) sum += grad[window];
    }
  }
  to[i] = sum;
}

__global__ void mean_windows(float* y, const float* x, Plane p, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Place at = place_of(i, p.out_height, p.out_width);
  x += at.plane * p.height * p.width;
  const int top = at.row * p.stride - p.padding, left = at.column * p.stride - p.padding;
  float sum = 0;
  for (int row = max(top, 0); row < min(top + p.size, p.height); ++row) {
    for (int column = max(left, 0); column < min(left + p.size, p.width); ++column) sum += x[row * p.width + column];
  }
  y[i] = sum / (p.size * p.size);
}

__global__ void mean_windows_backward(float* to, const float* grad, Plane p, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Place at = place_of(i, p.height, p.width);
  grad += at.plane * p.out_height * p.out_width;
  int top, bottom, left, right;
  p.covering(at.row, p.out_height, top, bottom);
  p.covering(at.column, p.out_width, left, right);
  float sum = 0;
  for (int row = top; row < bottom; ++row) {
    for (int column = left; column < right; ++column) sum += grad[row * p.out_width + column];
  }
  to[i] = sum / (p.size * p.size);
}

Plane plane_of(const char* operation, const Sizes& sizes, const Windows& w) {
  check(sizes.size() == 4, operation, ": expects images [batch, channels, height, width], not ", sizes);
  check(w.size > 0 && w.stride > 0 && w.padding >= 0 && w.padding * 2 <= w.size, operation, ": a window of ", w.size,
        " with stride ", w.stride, " and padding ", w.padding, " (at most half the window) for ", sizes);
  check(w.size <= sizes[2] + 2 * w.padding && w.size <= sizes[3] + 2 * w.padding, operation, ": a window of ", w.size,
        " is larger than images of ", sizes, " with padding ", w.padding);
  auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
  return {narrow(sizes[2]), narrow(sizes[3]), narrow(w.count(sizes[2])), narrow(w.count(sizes[3])),
          narrow(w.size),   narrow(w.stride), narrow(w.padding)};
}

Sizes pooled(const Sizes& sizes, const Plane& p) { return {sizes[0], sizes[1], p.out_height, p.out_width}; }

}  // namespace

MaxPool max_pool2d(const Tensor& x, const Windows& windows) {
  const Plane p = plane_of("max_pool2d", x.sizes(), windows);
  const Tensor from = single_precision(x, "max_pool2d");
  MaxPool result{empty(pooled(x.sizes(), p)), empty(pooled(x.sizes(), p), DType::i64)};
  if (const std::int64_t n = result.y.numel(); n > 0) {
    max_windows<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        result.y.data<float>(), result.places.data<std::int64_t>(), from.data<float>(), p, n);
    check_launch("max_pool2d");
  }
  result.y = to(result.y, x.dtype());
  return result;
}

Tensor max_pool2d_backward(const Tensor& grad, const Tensor& places, const Sizes& sizes, const Windows& windows) {
  const Plane p = plane_of("max_pool2d_backward", sizes, windows);
  const Tensor g = single_precision(grad, "max_pool2d_backward");
  Tensor result = empty(sizes);
  if (const std::int64_t n = result.numel(); n > 0) {
    max_windows_backward<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        result.data<float>(), g.data<float>(), places.data<std::int64_t>(), p, n);
    check_launch("max_pool2d_backward");
  }
  return to(result, grad.dtype());
}

Tensor avg_pool2d(const Tensor& x, const Windows& windows) {
  const Plane p = plane_of("avg_pool2d", x.sizes(), windows);
  const Tensor from = single_precision(x, "avg_pool2d");
  Tensor result = empty(pooled(x.sizes(), p));
  if (const std::int64_t n = result.numel(); n > 0) {
    mean_windows<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(result.data<float>(), from.data<float>(), p,
                                                                            n);
    check_launch("avg_pool2d");
  }
  return to(result, x.dtype());
}

Tensor avg_pool2d_backward(const Tensor& grad, const Sizes& sizes, const Windows& windows) {
  const Plane p = plane_of("avg_pool2d_backward", sizes, windows);
  const Tensor g = single_precision(grad, "avg_pool2d_backward");
  Tensor result = empty(sizes);
  if (const std::int64_t n = result.numel(); n > 0) {
    mean_windows_backward<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(result.data<float>(),
                                                                                     g.data<float>(), p, n);
    check_launch("avg_pool2d_backward");
  }
  return to(result, grad.dtype());
}

}  // namespace reprise::kernels
