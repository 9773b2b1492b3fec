// Kernels compute indices in 32 bits; larger tensors are processed in pieces.
#pragma once

#include "kernels/tensor/views.h"

namespace reprise::kernels {

// `x` narrowed along dimension `dim` of the result that it broadcasts to, which has `dims` dimensions.
inline Tensor narrow_broadcast(const Tensor& x, int dims, int dim, std::int64_t start, std::int64_t length) {
  int own = dim - (dims - x.dim());
  return own < 0 || x.sizes()[own] == 1 ? x : narrow(x, own, start, length);
}

inline bool fits_32_bits(const TensorBody& body) {
  std::int64_t reach = 1, numel = 1;
  for (int i = 0; i < body.sizes.size(); ++i) {
    numel *= body.sizes[i];
    reach += (body.sizes[i] - 1) * body.strides[i];
  }
  return std::max(reach, numel) < (std::int64_t(1) << 31);
}

// Calls `run(out, operands...)` for pieces that are small enough and together cover `out`, to which the operands
// broadcast. Does nothing if there are no elements.
template <class Run, class... Operands>
void in_pieces(const Run& run, const Tensor& out, const Operands&... operands) {
  const Sizes& sizes = out.sizes();
  for (std::int64_t size : sizes) {
    if (size == 0) return;
  }
  if (fits_32_bits(out.body()) && (fits_32_bits(operands.body()) && ...)) return run(out, operands...);
  int largest = static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::int64_t half = sizes[largest] / 2, rest = sizes[largest] - half;
  in_pieces(run, narrow(out, largest, 0, half), narrow_broadcast(operands, sizes.size(), largest, 0, half)...);
  in_pieces(run, narrow(out, largest, half, rest), narrow_broadcast(operands, sizes.size(), largest, half, rest)...);
}

}  // namespace reprise::kernels
