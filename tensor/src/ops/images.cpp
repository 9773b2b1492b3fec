// Convolution and pooling of [batch, channels, height, width].
#include <reprise/ops.h>

#include <algorithm>

#include "autograd/record.h"
#include "kernels/convolution/convolution.h"
#include "kernels/convolution/pool.h"
#include "ops/autocast.h"

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

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, IntPair stride, IntPair padding,
              IntPair dilation, std::int64_t groups) {
  return convolved(ops::autocast(x), ops::autocast(weight), ops::autocast(bias), {stride, padding, dilation, groups});
}

Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias, std::int64_t stride, std::int64_t padding,
              std::int64_t dilation, std::int64_t groups) {
  check(x.dim() == 3 && weight.dim() == 3, "conv1d: expects [batch, in, length] and [out, in / groups, size], not ",
        x.sizes(), " and ", weight.sizes());
  return conv2d(x.unsqueeze(2), weight.unsqueeze(2), bias, {1, stride}, {0, padding}, {1, dilation}, groups).squeeze(2);
}

// The gradient of a convolution with respect to its image, as an operation of its own.
Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias, IntPair stride, IntPair padding,
                        IntPair output_padding, std::int64_t groups, IntPair dilation) {
  check(
      x.dim() == 4 && weight.dim() == 4 && x.size(1) == weight.size(0),
      "conv_transpose2d: expects images [batch, in, height, width] and filters [in, out / groups, rows, columns], not ",
      x.sizes(), " and ", weight.sizes());
  check(output_padding.height >= 0 && output_padding.width >= 0 &&
            output_padding.height < std::max(stride.height, dilation.height) &&
            output_padding.width < std::max(stride.width, dilation.width),
        "conv_transpose2d: an output padding of ", output_padding, " is not below a stride of ", stride,
        " or a dilation of ", dilation);
  auto length = [](std::int64_t size, std::int64_t step, std::int64_t pad, std::int64_t spread, std::int64_t filter,
                   std::int64_t more) { return (size - 1) * step - 2 * pad + spread * (filter - 1) + more + 1; };
  const Sizes sizes{
      x.size(0), weight.size(1) * groups,
      length(x.size(2), stride.height, padding.height, dilation.height, weight.size(2), output_padding.height),
      length(x.size(3), stride.width, padding.width, dilation.width, weight.size(3), output_padding.width)};
  check(sizes[2] > 0 && sizes[3] > 0, "conv_transpose2d: ", x.sizes(), " by ", weight.sizes(), " with padding ",
        padding, " leaves nothing");
  const Tensor y = input_gradient(x, weight, sizes, {stride, padding, dilation, groups});
  if (!bias.defined()) return y;
  check(bias.dim() == 1 && bias.size(0) == sizes[1], "conv_transpose2d: a bias of ", bias.sizes(), " for ", sizes[1],
        " channels");
  return add(y, bias.view({1, sizes[1], 1, 1}));
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
