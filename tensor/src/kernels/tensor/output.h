// Outputs of elementwise operations.
#pragma once

#include "kernels/tensor/empty.h"

namespace reprise::kernels {

// Throws if the output has other sizes than the result, or if several of its elements share an address.
inline void check_output(const Tensor& out, const Sizes& sizes, const char* operation) {
  check(out.sizes() == sizes, operation, ": the result of ", sizes, " does not fit into ", out.sizes());
  for (int i = 0; i < sizes.size(); ++i) {
    check(sizes[i] <= 1 || out.strides()[i] != 0, operation, ": the output of ", out.sizes(),
          " is expanded, so several results would go to one place; "
          "clone it first");
  }
}

}  // namespace reprise::kernels
