// Computes the offset of an element in each operand within a kernel, in 32-bit arithmetic. Larger tensors are split
// before (in_pieces).
#pragma once

#include <cuda_runtime.h>

#include "kernels/device/layout.h"

namespace reprise::kernels {

// Division by a number known at launch, as a multiplication; for dividends below 2^31.
struct Divisor {
  unsigned value, factor, shift;

  Divisor() = default;
  explicit Divisor(unsigned by) : value(by), shift(0) {
    while ((1ull << shift) < by) ++shift;
    factor = static_cast<unsigned>((((1ull << 32) * ((1ull << shift) - by)) / by) + 1);
  }
  __device__ unsigned divide(unsigned n) const { return (__umulhi(n, factor) + n) >> shift; }
};

template <int operands>
struct DeviceIndex {
  int dims;
  Divisor sizes[Sizes::capacity];
  int strides[operands][Sizes::capacity];

  explicit DeviceIndex(const Layout<operands>& layout) : dims(layout.dims) {
    for (int i = 0; i < dims; ++i) {
      sizes[i] = Divisor(static_cast<unsigned>(layout.sizes[i]));
      for (int k = 0; k < operands; ++k) strides[k][i] = static_cast<int>(layout.strides[k][i]);
    }
  }

  __device__ void places(unsigned n, int (&at)[operands]) const {
    for (int k = 0; k < operands; ++k) at[k] = 0;
    for (int i = 0; i < dims; ++i) {
      unsigned rest = sizes[i].divide(n);
      int within = static_cast<int>(n - rest * sizes[i].value);
      for (int k = 0; k < operands; ++k) at[k] += within * strides[k][i];
      n = rest;
    }
  }
};

}  // namespace reprise::kernels
