// The addresses of many tensors as one kernel argument, so that one launch processes all of them. A capture copies the
// table with the other arguments.
#pragma once

#include <reprise/tensor.h>

#include <cstdint>
#include <vector>

namespace reprise::kernels {

// Tensors come in tuples of `lists` (a parameter, its gradient, its momentum). A block processes one chunk of one
// tuple.
template <int lists>
struct TensorTable {
  static constexpr int capacity = 64;
#ifdef REPRISE_GPU
  static constexpr int threads = 256;
  static constexpr int chunk = 4 * threads;
#else
  // A large chunk amortises the work per block and lets the loop over its elements be vectorised.
  static constexpr int threads = 1;
  static constexpr int chunk = 4096;
#endif

  void* data[lists][capacity];
  std::int64_t numel[capacity];
  unsigned first_block[capacity + 1];
  DType dtype[lists][capacity];
  int count = 0;

  unsigned blocks() const { return first_block[count]; }
};

// Calls launch(table) for tables that together contain all tensors. lists[k][i] form a tuple for each i; they must be
// contiguous and have the same number of elements, otherwise it throws, naming `operation`.
template <int lists, class Launch>
void in_tables(const char* operation, const std::vector<Tensor>* const (&tensors)[lists], const Launch& launch) {
  TensorTable<lists> table;
  table.first_block[0] = 0;
  for (std::size_t i = 0; i < tensors[0]->size(); ++i) {
    const std::int64_t numel = (*tensors[0])[i].numel();
    if (numel == 0) continue;
    for (int k = 0; k < lists; ++k) {
      const Tensor& tensor = (*tensors[k])[i];
      check(tensor.numel() == numel && tensor.is_contiguous(), operation, ": tensor number ", i, " of shape ",
            tensor.sizes(), " is not dense or does not fit ", (*tensors[0])[i].sizes());
      check(is_floating(tensor.dtype()), operation, ": tensor number ", i, " is of type ", tensor.dtype());
      table.data[k][table.count] = tensor.data();
      table.dtype[k][table.count] = tensor.dtype();
    }
    table.numel[table.count] = numel;
    const unsigned blocks = static_cast<unsigned>((numel + table.chunk - 1) / table.chunk);
    table.first_block[table.count + 1] = table.first_block[table.count] + blocks;
    if (++table.count == table.capacity) {
      launch(table);
      table.count = 0;
    }
  }
  if (table.count > 0) launch(table);
}

}  // namespace reprise::kernels
