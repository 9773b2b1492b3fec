// Copies of whole tensors between host memory and the device, in their own element type and in row-major order.
#pragma once

#include <reprise/tensor.h>

namespace reprise {

// A new tensor with the values at `values`, which may be freed afterwards. Throws while the current stream is
// capturing, since every replay would read them again.
Tensor from_host(const void* values, const Sizes& sizes, DType dtype);

// Copies the elements of `x` to `to` and waits for the copy. Throws while the current stream is capturing.
void copy_to_host(void* to, const Tensor& x);

}  // namespace reprise
