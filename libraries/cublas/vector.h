// Vectors, and a matrix with a vector. An increment may be negative: the vector is then walked from its end.
#pragma once

#include "kernel.h"

namespace reprise_cublas {

// y = alpha op(A) x + beta y; a block computes `part` elements of y.
struct Gemv {
  bool transposed;
  int rows, columns, leading, incx, incy, part;
  Scalar<float> alpha, beta;
  const float *a, *x;
  float* y;
};

// x *= alpha, y += alpha x, y = x, or both exchanged; a block does `part` elements.
struct Vector {
  enum class What : int { scale, add, copy, exchange } what;
  int n, incx, incy, part;
  Scalar<float> alpha;
  float* x;  // written only where both are exchanged
  float* y;
};

struct Reduction {
  enum class What : int { dot, norm, sum_of_magnitudes, greatest, least } what;
  int n, incx, incy;
  const float *x, *y;
  void* result;  // a float; for the greatest and the least magnitude an int, its place counted from one
};

}  // namespace reprise_cublas
