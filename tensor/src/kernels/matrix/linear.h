// y = activation(x weight^T + bias) with as few launches as possible.
#pragma once

#include <reprise/tensor.h>

#include "kernels/matrix/tile_product.h"

namespace reprise::kernels {

// `x` [..., in], `weight` [out, in], `bias` [out] or undefined.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation = Activation::none);

struct Activated {
  Tensor before, y;  // y = activation(before)
};
// For activations whose gradient needs their argument.
Activated linear_and_before(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation);

struct LinearGradients {
  Tensor x, weight, bias;
};
struct LinearWants {
  bool x, weight, bias;
};
// `grad` is the gradient of x weight^T + bias, before the activation. Gradients that are not wanted stay undefined.
LinearGradients linear_backward(const Tensor& grad, const Tensor& x, const Tensor& weight, const LinearWants& wants);

}  // namespace reprise::kernels
