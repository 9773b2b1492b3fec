#include "autograd/unit_gradient.h"

#include <reprise/cuda_graph.h>
#include <reprise/factories.h>

namespace reprise::autograd {

const Tensor& unit_gradient() {
  static const Tensor* one = [] {
    OutsideCapture outside;
    return new Tensor(ones({}));
  }();
  return *one;
}

}  // namespace reprise::autograd
