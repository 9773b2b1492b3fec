#include "autograd/unit_gradient.h"

#include <reprise/outside_capture.h>

#include "kernels/tensor/factories.h"

namespace reprise::autograd {

const Tensor& unit_gradient() {
  static const Tensor* one = [] {
    OutsideCapture outside;
    return new Tensor(kernels::ones({}));
  }();
  return *one;
}

}  // namespace reprise::autograd
