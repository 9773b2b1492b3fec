// Activations that can be fused with a product.
#pragma once

#include "kernels/elementwise/operations.h"
#include "kernels/matrix/tile_product.h"

namespace reprise::kernels {

__device__ inline float activated(float x, Activation activation) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return fmaxf(x, 0);
    case Activation::gelu:
      return x * normal_cdf(x);
  }
  return x;
}

}  // namespace reprise::kernels
