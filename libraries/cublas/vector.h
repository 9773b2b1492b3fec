// Vector operations and matrix-vector products. With a negative increment, a vector is traversed from its end.
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

// x *= alpha, y += alpha x, y = x, or a swap; a block processes `part` elements.
struct Vector {
  enum class What : int { scale, add, copy, exchange } what;
  int n, incx, incy, part;
  Scalar<float> alpha;
  float* x;  // written only by a swap
  float* y;
};

struct Reduction {
  enum class What : int { dot, norm, sum_of_magnitudes, greatest, least } what;
  int n, incx, incy;
  const float *x, *y;
  void* result;  // a float; for Isamax and Isamin an int, the index counted from 1
};

}  // namespace reprise_cublas
