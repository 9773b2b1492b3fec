// Convolution and pooling of [batch, channels, height, width].
#include <reprise/ops.h>

#include "autograd/record.h"
#include "raw/convolution.h"
#include "raw/pool.h"

namespace reprise {

using autograd::keep_if;
using autograd::Node;
using autograd::record_once;
using autograd::Tensors;
using autograd::requires_gradient;
using autograd::wants_gradient;

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, std::int64_t stride, std::int64_t padding) {
  raw::Convolution convolution;
  convolution.stride = stride;
  convolution.padding = padding;
  Tensor y = raw::conv2d(x, weight, bias, convolution);
  if (wants_gradient(x, weight, bias)) {
    record_once(y, "conv2d", {x, weight, bias}, [x_sizes = x.sizes(), weight_sizes = weight.sizes(), convolution,
                                                 x = keep_if(requires_gradient(weight), x, "conv2d"),
                                                 weight = keep_if(requires_gradient(x), weight, "conv2d")](
                                                    const Tensor& gradient, Node& node) {
      Tensors gradients(3);
      if (node.wants(0)) gradients[0] = raw::conv2d_input_gradient(gradient, weight, x_sizes, convolution);
      if (node.wants(1)) gradients[1] = raw::conv2d_weight_gradient(gradient, x, weight_sizes, convolution);
      if (node.wants(2)) gradients[2] = sum(gradient, {0, 2, 3});
      return gradients;
    });
  }
  return y;
}

namespace {

raw::Windows windows_of(std::int64_t kernel_size, std::int64_t stride) {
  raw::Windows windows;
  windows.size = kernel_size;
  windows.stride = stride ? stride : kernel_size;
  return windows;
}

}  // namespace

Tensor max_pool2d(const Tensor& x, std::int64_t kernel_size, std::int64_t stride) {
  const raw::Windows windows = windows_of(kernel_size, stride);
  const raw::MaxPool pool = raw::max_pool2d(x, windows);
  Tensor y = pool.y;
  if (wants_gradient(x)) {
    record_once(y, "max_pool2d", {x}, [places = pool.places, sizes = x.sizes(), windows](const Tensor& gradient, Node&) {
      return Tensors{raw::max_pool2d_backward(gradient, places, sizes, windows)};
    });
  }
  return y;
}

Tensor avg_pool2d(const Tensor& x, std::int64_t kernel_size, std::int64_t stride) {
  const raw::Windows windows = windows_of(kernel_size, stride);
  Tensor y = raw::avg_pool2d(x, windows);
  if (wants_gradient(x)) {
    record_once(y, "avg_pool2d", {x}, [sizes = x.sizes(), windows](const Tensor& gradient, Node&) {
      return Tensors{raw::avg_pool2d_backward(gradient, sizes, windows)};
    });
  }
  return y;
}

}  // namespace reprise
