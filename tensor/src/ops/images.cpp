// Convolution and pooling of [batch, channels, height, width].
#include <reprise/ops.h>

#include "autograd/record.h"
#include "kernels/convolution/convolution.h"
#include "kernels/convolution/pool.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::record_once;
using autograd::requires_gradient;
using autograd::save_if;
using autograd::Tensors;
using autograd::wants_gradient;

namespace {

// A convolution is bilinear in the image and the filters, and so are its gradients: the gradient of each of the three
// operations is made of the other two.
Tensor convolved(const Tensor& x, const Tensor& weight, const Tensor& bias, const kernels::Convolution& convolution);
Tensor weight_gradient(const Tensor& gradient, const Tensor& x, const Sizes& weight_sizes,
                       const kernels::Convolution& convolution);

Tensor input_gradient(const Tensor& gradient, const Tensor& weight, const Sizes& x_sizes,
                      const kernels::Convolution& convolution) {
  Tensor y = kernels::conv2d_input_gradient(gradient, weight, x_sizes, convolution);
  if (wants_gradient(gradient, weight)) {
    record(
        y, "conv2d", {gradient, weight},
        [weight_sizes = weight.sizes(), convolution, gradient = save_if(requires_gradient(weight), gradient, "conv2d"),
         weight = save_if(requires_gradient(gradient), weight, "conv2d")](const Tensor& second, Node& node) {
          return Tensors{node.wants(0) ? convolved(second, weight, {}, convolution) : Tensor(),
                         node.wants(1) ? weight_gradient(gradient, second, weight_sizes, convolution) : Tensor()};
        });
  }
  return y;
}

Tensor weight_gradient(const Tensor& gradient, const Tensor& x, const Sizes& weight_sizes,
                       const kernels::Convolution& convolution) {
  Tensor y = kernels::conv2d_weight_gradient(gradient, x, weight_sizes, convolution);
  if (wants_gradient(gradient, x)) {
    record(y, "conv2d", {gradient, x},
           [x_sizes = x.sizes(), convolution, gradient = save_if(requires_gradient(x), gradient, "conv2d"),
            x = save_if(requires_gradient(gradient), x, "conv2d")](const Tensor& second, Node& node) {
             return Tensors{node.wants(0) ? convolved(x, second, {}, convolution) : Tensor(),
                            node.wants(1) ? input_gradient(gradient, second, x_sizes, convolution) : Tensor()};
           });
  }
  return y;
}

Tensor convolved(const Tensor& x, const Tensor& weight, const Tensor& bias, const kernels::Convolution& convolution) {
  Tensor y = kernels::conv2d(x, weight, bias, convolution);
  if (wants_gradient(x, weight, bias)) {
    record(y, "conv2d", {x, weight, bias},
           [x_sizes = x.sizes(), weight_sizes = weight.sizes(), convolution,
            x = save_if(requires_gradient(weight), x, "conv2d"),
            weight = save_if(requires_gradient(x), weight, "conv2d")](const Tensor& gradient, Node& node) {
             Tensors gradients(3);
             if (node.wants(0)) gradients[0] = input_gradient(gradient, weight, x_sizes, convolution);
             if (node.wants(1)) gradients[1] = weight_gradient(gradient, x, weight_sizes, convolution);
             if (node.wants(2)) gradients[2] = sum(gradient, {0, 2, 3});
             return gradients;
           });
  }
  return y;
}

}  // namespace

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, std::int64_t stride, std::int64_t padding,
              std::int64_t dilation) {
  kernels::Convolution convolution;
  convolution.stride = stride;
  convolution.padding = padding;
  convolution.dilation = dilation;
  return convolved(x, weight, bias, convolution);
}

namespace {

kernels::Windows windows_of(std::int64_t kernel_size, std::int64_t stride, std::int64_t padding) {
  kernels::Windows windows;
  windows.size = kernel_size;
  windows.stride = stride ? stride : kernel_size;
  windows.padding = padding;
  return windows;
}

Tensor mean_of_windows(const Tensor& x, const kernels::Windows& windows);

// The gradient of mean_of_windows, whose own gradient is mean_of_windows.
Tensor spread_over_windows(const Tensor& gradient, const Sizes& sizes, const kernels::Windows& windows) {
  Tensor y = kernels::avg_pool2d_backward(gradient, sizes, windows);
  if (wants_gradient(gradient)) {
    record(y, "avg_pool2d", {gradient},
           [windows](const Tensor& second, Node&) { return Tensors{mean_of_windows(second, windows)}; });
  }
  return y;
}

Tensor mean_of_windows(const Tensor& x, const kernels::Windows& windows) {
  Tensor y = kernels::avg_pool2d(x, windows);
  if (wants_gradient(x)) {
    record(y, "avg_pool2d", {x}, [sizes = x.sizes(), windows](const Tensor& gradient, Node&) {
      return Tensors{spread_over_windows(gradient, sizes, windows)};
    });
  }
  return y;
}

}  // namespace

Tensor max_pool2d(const Tensor& x, std::int64_t kernel_size, std::int64_t stride, std::int64_t padding) {
  const kernels::Windows windows = windows_of(kernel_size, stride, padding);
  const kernels::MaxPool pool = kernels::max_pool2d(x, windows);
  Tensor y = pool.y;
  if (wants_gradient(x)) {
    record_once(y, "max_pool2d", {x},
                [places = pool.places, sizes = x.sizes(), windows](const Tensor& gradient, Node&) {
                  return Tensors{kernels::max_pool2d_backward(gradient, places, sizes, windows)};
                });
  }
  return y;
}

Tensor avg_pool2d(const Tensor& x, std::int64_t kernel_size, std::int64_t stride, std::int64_t padding) {
  return mean_of_windows(x, windows_of(kernel_size, stride, padding));
}

}  // namespace reprise
