// Sums of matrices, and rank-1 updates. A block processes `part` columns.
#pragma once

#include "kernel.h"

namespace reprise_cublas {

// a += alpha x y^T
struct Outer {
  int rows, columns, leading, incx, incy, part;
  Scalar<float> alpha;
  const float *x, *y;
  float* a;
};

// c = alpha op(a) + beta op(b)
struct Sum {
  bool a_transposed, b_transposed;
  int rows, columns, a_leading, b_leading, c_leading, part;
  Scalar<float> alpha, beta;
  const float *a, *b;
  float* c;
};

}  // namespace reprise_cublas
