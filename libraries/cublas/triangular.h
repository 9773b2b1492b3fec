// Solves op(A) X = alpha B or X op(A) = alpha B with a triangular matrix A; X replaces B.
#pragma once

#include "blas.h"
#include "kernel.h"

namespace reprise_cublas {

// One system, or one per matrix of a batch. A block solves for `part` columns of X, or rows if A stands on the right.
template <class Value>
struct TriangularSolve {
  CBLAS_SIDE side;
  CBLAS_UPLO uplo;
  CBLAS_TRANSPOSE operation;
  CBLAS_DIAG diagonal;
  int rows, columns, a_leading, b_leading, part;
  Scalar<Value> alpha;
  const Value* a;  // null for a batch
  Value* b;
  const Value* const* a_array;
  Value* const* b_array;

  int independent() const { return side == CblasLeft ? columns : rows; }
};

template <class Value>
void run_blocks(const TriangularSolve<Value>& work, const reprise_launch& launch);

}  // namespace reprise_cublas
