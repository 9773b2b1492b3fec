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

#ifdef REPRISE_GPU
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

template <class Kernel, class... Arguments>
void launch(const char* operation, Kernel* kernel, std::int64_t n, std::int64_t, const Plane& p,
            Arguments... arguments) {
  kernel<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(arguments..., p, n);
  check_launch(operation);
}
#else
// On the CPU device a thread processes a whole plane, row by row: the loops along a row are vectorised, and nothing is
// divided.
//
// The columns [begin, end) whose windows have column `offset` inside the image.
struct Inside {
  int begin, end;
  __device__ Inside(const Plane& p, int offset) {
    const int first = offset - p.padding;
    begin = first < 0 ? (-first + p.stride - 1) / p.stride : 0;
    end = first < p.width ? min(p.out_width, (p.width - 1 - first) / p.stride + 1) : 0;
  }
};

// Calls row(r, i, j, inside) for the input row r of each row i of windows and each column j within the windows.
template <class Row>
__device__ void for_each_row(const Plane& p, int i, Row row) {
  const int top = i * p.stride - p.padding;
  for (int r = max(top, 0); r < min(top + p.size, p.height); ++r) {
    for (int j = 0; j < p.size; ++j) row(r, j - p.padding, Inside(p, j));
  }
}

__global__ void max_windows(float* __restrict__ y, std::int64_t* __restrict__ places, const float* __restrict__ x,
                            Plane p) {
  x += std::int64_t(blockIdx.x) * p.height * p.width;
  y += std::int64_t(blockIdx.x) * p.out_height * p.out_width;
  places += std::int64_t(blockIdx.x) * p.out_height * p.out_width;
  for (int i = 0; i < p.out_height; ++i, y += p.out_width, places += p.out_width) {
    const int top = max(i * p.stride - p.padding, 0);
    for (int c = 0; c < p.out_width; ++c) {
      y[c] = -INFINITY;
      places[c] = top * p.width + max(c * p.stride - p.padding, 0);
    }
    for_each_row(p, i, [&](int r, int j, Inside inside) {
      const float* line = x + r * p.width + j;
      const int place = r * p.width + j;
      for (int c = inside.begin; c < inside.end; ++c) {
        const float value = line[c * p.stride];
        const bool takes = value > y[c] || value != value;
        y[c] = takes ? value : y[c];
        places[c] = takes ? place + c * p.stride : places[c];
      }
    });
  }
}

__global__ void max_windows_backward(float* __restrict__ to, const float* __restrict__ grad,
                                     const std::int64_t* __restrict__ places, Plane p) {
  const int count = p.out_height * p.out_width;
  to += std::int64_t(blockIdx.x) * p.height * p.width;
  grad += std::int64_t(blockIdx.x) * count;
  places += std::int64_t(blockIdx.x) * count;
  for (int i = 0; i < p.height * p.width; ++i) to[i] = 0;
  for (int i = 0; i < count; ++i) to[places[i]] += grad[i];
}

__global__ void mean_windows(float* __restrict__ y, const float* __restrict__ x, Plane p) {
  x += std::int64_t(blockIdx.x) * p.height * p.width;
  y += std::int64_t(blockIdx.x) * p.out_height * p.out_width;
  for (int i = 0; i < p.out_height; ++i, y += p.out_width) {
    for (int c = 0; c < p.out_width; ++c) y[c] = 0;
    for_each_row(p, i, [&](int r, int j, Inside inside) {
      const float* line = x + r * p.width + j;
      for (int c = inside.begin; c < inside.end; ++c) y[c] += line[c * p.stride];
    });
    for (int c = 0; c < p.out_width; ++c) y[c] /= p.size * p.size;
  }
}

__global__ void mean_windows_backward(float* __restrict__ to, const float* __restrict__ grad, Plane p) {
  to += std::int64_t(blockIdx.x) * p.height * p.width;
  grad += std::int64_t(blockIdx.x) * p.out_height * p.out_width;
  const float share = 1.f / (p.size * p.size);
  for (int i = 0; i < p.height * p.width; ++i) to[i] = 0;
  for (int i = 0; i < p.out_height; ++i, grad += p.out_width) {
    for_each_row(p, i, [&](int r, int j, Inside inside) {
      float* line = to + r * p.width + j;
      for (int c = inside.begin; c < inside.end; ++c) line[c * p.stride] += share * grad[c];
    });
  }
}

template <class Kernel, class... Arguments>
void launch(const char* operation, Kernel* kernel, std::int64_t, std::int64_t planes, const Plane& p,
            Arguments... arguments) {
  kernel<<<static_cast<unsigned>(planes), 1, 0, current_stream()>>>(arguments..., p);
  check_launch(operation);
}
#endif

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

std::int64_t planes_of(const Sizes& sizes) { return sizes[0] * sizes[1]; }

Sizes pooled(const Sizes& sizes, const Plane& p) { return {sizes[0], sizes[1], p.out_height, p.out_width}; }

}  // namespace

MaxPool max_pool2d(const Tensor& x, const Windows& windows) {
  const Plane p = plane_of("max_pool2d", x.sizes(), windows);
  const Tensor from = single_precision(x, "max_pool2d");
  MaxPool result{empty(pooled(x.sizes(), p)), empty(pooled(x.sizes(), p), DType::i64)};
  if (const std::int64_t n = result.y.numel(); n > 0) {
    launch("max_pool2d", max_windows, n, planes_of(x.sizes()), p, result.y.data<float>(),
           result.places.data<std::int64_t>(), static_cast<const float*>(from.data<float>()));
  }
  result.y = to(result.y, x.dtype());
  return result;
}

Tensor max_pool2d_backward(const Tensor& grad, const Tensor& places, const Sizes& sizes, const Windows& windows) {
  const Plane p = plane_of("max_pool2d_backward", sizes, windows);
  const Tensor g = single_precision(grad, "max_pool2d_backward");
  Tensor result = empty(sizes);
  if (const std::int64_t n = result.numel(); n > 0) {
    launch("max_pool2d_backward", max_windows_backward, n, planes_of(sizes), p, result.data<float>(),
           static_cast<const float*>(g.data<float>()), static_cast<const std::int64_t*>(places.data<std::int64_t>()));
  }
  return to(result, grad.dtype());
}

Tensor avg_pool2d(const Tensor& x, const Windows& windows) {
  const Plane p = plane_of("avg_pool2d", x.sizes(), windows);
  const Tensor from = single_precision(x, "avg_pool2d");
  Tensor result = empty(pooled(x.sizes(), p));
  if (const std::int64_t n = result.numel(); n > 0) {
    launch("avg_pool2d", mean_windows, n, planes_of(x.sizes()), p, result.data<float>(),
           static_cast<const float*>(from.data<float>()));
  }
  return to(result, x.dtype());
}

Tensor avg_pool2d_backward(const Tensor& grad, const Sizes& sizes, const Windows& windows) {
  const Plane p = plane_of("avg_pool2d_backward", sizes, windows);
  const Tensor g = single_precision(grad, "avg_pool2d_backward");
  Tensor result = empty(sizes);
  if (const std::int64_t n = result.numel(); n > 0) {
    launch("avg_pool2d_backward", mean_windows_backward, n, planes_of(sizes), p, result.data<float>(),
           static_cast<const float*>(g.data<float>()));
  }
  return to(result, grad.dtype());
}

}  // namespace reprise::kernels
