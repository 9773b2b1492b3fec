// y = activation(x weight^T + bias), with as few launches as the machine allows.
#pragma once

#include <reprise/tensor.h>

#include "kernels/matrix/tile_product.h"

namespace reprise::kernels {

// `x` [..., in], `weight` [out, in], `bias` [out] or undefined.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation = Activation::none);

struct Activated {
  Tensor before, y;  // y = activation(before)
};
// For activations whose gradient needs what they were applied to.
Activated linear_and_before(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation);

struct LinearGradients {
  Tensor x, weight, bias;
};
struct LinearWants {
  bool x, weight, bias;
};
// `grad` is that of x weight^T + bias: what an activation does to it is done before. Those not wanted stay undefined.
LinearGradients linear_backward(const Tensor& grad, const Tensor& x, const Tensor& weight, const LinearWants& wants);

}  // namespace reprise::kernels
