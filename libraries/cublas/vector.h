// Vector operations and matrix-vector products. With a negative increment, a vector is traversed from its end.
#pragma once

#include "blas.h"
#include "kernel.h"

namespace reprise_cublas {

// y = alpha op(A) x + beta y; a block computes `part` elements of y.
template <class Value>
struct Gemv {
  CBLAS_TRANSPOSE operation;
  int rows, columns, leading, incx, incy, part;
  Scalar<Value> alpha, beta;
  const Value *a, *x;
  Value* y;

  int results() const { return operation == CblasNoTrans ? rows : columns; }
};

enum class VectorOperation : int { scale, scale_by_real, add, copy, exchange };

// x *= alpha, y += alpha x, y = x, or a swap; a block processes `part` elements.
template <class Value>
struct Vector {
  VectorOperation operation;
  int n, incx, incy, part;
  Scalar<Value> alpha;
  Scalar<Real<Value>> real_alpha;
  Value* x;  // written only by a swap
  Value* y;
};

enum class VectorReduction : int { dot, conjugated_dot, norm, sum_of_magnitudes, greatest, least };

template <class Value>
struct Reduction {
  VectorReduction reduction;
  int n, incx, incy;
  const Value *x, *y;
  void* result;  // a number; an int for the place of the greatest or least, counted from 1
};

template <class Value>
void run_blocks(const Gemv<Value>& gemv, const reprise_launch& launch);
template <class Value>
void run_blocks(const Vector<Value>& work, const reprise_launch& launch);
template <class Value>
void run_blocks(const Reduction<Value>& work, const reprise_launch& launch);

}  // namespace reprise_cublas
