// Reading and writing along one dimension by indices, scans and sorting. Everything is deterministic: a thread owns
// each line along the dimension where lines are written.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// y[.., i, ..] = x[.., index[.., i, ..], ..] for an index (i64) with as many dimensions as x, or with one dimension,
// which then is the same for all lines. Indices out of range are reported (device_error.h).
Tensor gather(const Tensor& x, int dim, const Tensor& index, const char* operation);

enum class Scatter { assign, add };
// Writes (or adds) source[.., i, ..] to y[.., index[.., i, ..], ..], in the order of i. `y` is contiguous.
void scatter_(Scatter kind, const Tensor& y, int dim, const Tensor& index, const Tensor& source, const char* operation);

enum class Scan { sum, product };
Tensor scan(Scan kind, const Tensor& x, int dim);

struct Sorted {
  Tensor values, indices;
};
// Stable; NaN counts as the largest number.
Sorted sort(const Tensor& x, int dim, bool descending);

}  // namespace reprise::kernels
