// Max and average pooling of images [batch, channels, height, width].
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

struct Windows {
  std::int64_t size = 2, stride = 2, padding = 0;
  std::int64_t count(std::int64_t length) const { return (length + 2 * padding - size) / stride + 1; }
};

struct MaxPool {
  Tensor y;
  Tensor places;  // i64: the index of each maximum within its plane
};

MaxPool max_pool2d(const Tensor& x, const Windows& windows);
Tensor max_pool2d_backward(const Tensor& grad, const Tensor& places, const Sizes& sizes, const Windows& windows);
// As in PyTorch, the mean includes the zeros of the padding.
Tensor avg_pool2d(const Tensor& x, const Windows& windows);
Tensor avg_pool2d_backward(const Tensor& grad, const Sizes& sizes, const Windows& windows);

}  // namespace reprise::kernels
