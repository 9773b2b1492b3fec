// The common layout of the operands of an elementwise operation after broadcasting. Dimensions are merged as far as the
// strides allow, so most operations have one or two.
#pragma once

#include <reprise/tensor.h>

#include <utility>

namespace reprise::kernels {

// Dimension 0 is the innermost. Operand 0 is the output; dimensions are in the order of its strides.
template <int operands>
struct Layout {
  int dims = 0;
  std::int64_t numel = 1;
  std::int64_t sizes[Sizes::capacity];
  std::int64_t strides[operands][Sizes::capacity];

  bool dense() const {
    if (dims > 1) return false;
    for (int k = 0; k < operands; ++k) {
      if (dims == 1 && strides[k][0] != 1) return false;
    }
    return true;
  }

  void swap_dimensions(int a, int b) {
    std::swap(sizes[a], sizes[b]);
    for (int k = 0; k < operands; ++k) std::swap(strides[k][a], strides[k][b]);
  }

  // The layout without its innermost dimension.
  Layout outer() const {
    Layout rest = *this;
    rest.numel /= sizes[0];
    for (int i = 1; i < dims; ++i) rest.swap_dimensions(i - 1, i);
    --rest.dims;
    return rest;
  }

  // Whether dimensions `outer` and `inner` can be merged in every operand.
  bool continues(int inner, int outer) const {
    for (int k = 0; k < operands; ++k) {
      if (strides[k][outer] != strides[k][inner] * sizes[inner]) return false;
    }
    return true;
  }

  void sort() {
    for (int i = 1; i < dims; ++i) {
      for (int j = i; j > 0 && strides[0][j] < strides[0][j - 1]; --j) swap_dimensions(j, j - 1);
    }
  }

  void merge() {
    int last = 0;
    for (int i = 1; i < dims; ++i) {
      if (continues(last, i)) {
        sizes[last] *= sizes[i];
      } else {
        swap_dimensions(++last, i);
      }
    }
    if (dims > 0) dims = last + 1;
  }
};

// The operands must broadcast to `sizes`.
template <class... Operands>
Layout<sizeof...(Operands)> layout_of(const Sizes& sizes, const Operands&... operands) {
  Layout<sizeof...(Operands)> layout;
  const TensorBody* bodies[] = {&operands.body()...};
  for (int i = sizes.size() - 1; i >= 0; --i) {
    layout.numel *= sizes[i];
    if (sizes[i] == 1) continue;
    layout.sizes[layout.dims] = sizes[i];
    for (std::size_t k = 0; k < sizeof...(Operands); ++k) {
      int own = i - (sizes.size() - bodies[k]->sizes.size());
      layout.strides[k][layout.dims] = own >= 0 && bodies[k]->sizes[own] != 1 ? bodies[k]->strides[own] : 0;
    }
    ++layout.dims;
  }
  if (layout.dims > 1) {
    layout.sort();
    layout.merge();
  }
  return layout;
}

}  // namespace reprise::kernels
