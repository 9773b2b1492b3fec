// Sums of matrices, and rank-1 updates. A block processes `part` columns.
#pragma once

#include "blas.h"
#include "kernel.h"

namespace reprise_cublas {

// a += alpha x y^T, or y^H
template <class Value>
struct Outer {
  bool conjugated;
  int rows, columns, leading, incx, incy, part;
  Scalar<Value> alpha;
  const Value *x, *y;
  Value* a;
};

// c = alpha op(a) + beta op(b)
template <class Value>
struct Sum {
  CBLAS_TRANSPOSE a_operation, b_operation;
  int rows, columns, a_leading, b_leading, c_leading, part;
  Scalar<Value> alpha, beta;
  const Value *a, *b;
  Value* c;
};

template <class Value>
void run_blocks(const Outer<Value>& outer, const reprise_launch& launch);
template <class Value>
void run_blocks(const Sum<Value>& sum, const reprise_launch& launch);

}  // namespace reprise_cublas
