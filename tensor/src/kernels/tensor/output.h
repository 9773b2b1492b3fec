// Outputs of elementwise operations.
#pragma once

#include "kernels/tensor/empty.h"

namespace reprise::kernels {

// Refuses an output that has other sizes than the result, or in which several elements are one.
inline void check_output(const Tensor& out, const Sizes& sizes, const char* operation) {
  check(out.sizes() == sizes, operation, ": the result of ", sizes, " does not fit into ", out.sizes());
  for (int i = 0; i < sizes.size(); ++i) {
    check(sizes[i] <= 1 || out.strides()[i] != 0, operation, ": the output of ", out.sizes(),
          " is expanded, so several results would go to one place; "
          "clone it first");
  }
}

}  // namespace reprise::kernels
