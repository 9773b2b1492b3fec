// Kernels count elements and places in 32 bits; what is larger is done in pieces.
#pragma once

#include "raw/views.h"

namespace reprise::raw {

// Calls `run(operands...)` for parts of the operands that are small enough, together all of them. The operands have the
// same sizes. Nothing is called for tensors without elements.
template <class Run, class... Operands>
void in_pieces(const Run& run, const Operands&... operands) {
  const TensorBody* bodies[] = {&operands.body()...};
  const Sizes& sizes = bodies[0]->sizes;
  std::int64_t numel = product(sizes);
  if (numel == 0) return;
  std::int64_t most = numel;
  for (const TensorBody* body : bodies) {
    std::int64_t reach = 1;
    for (int i = 0; i < sizes.size(); ++i) reach += (sizes[i] - 1) * body->strides[i];
    most = std::max(most, reach);
  }
  if (most < (std::int64_t(1) << 31)) return run(operands...);
  int largest = static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  std::int64_t half = sizes[largest] / 2;
  in_pieces(run, narrow(operands, largest, 0, half)...);
  in_pieces(run, narrow(operands, largest, half, sizes[largest] - half)...);
}

}  // namespace reprise::raw
