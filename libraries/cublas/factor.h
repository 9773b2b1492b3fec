// Batches of small dense systems: LU factors, solutions and inverses. A block processes one matrix.
#pragma once

#include "blas.h"
#include "kernel.h"

namespace reprise_cublas {

// A = P L U in place. Without pivots, rows are not exchanged.
template <class Value>
struct Factor {
  int n, leading;
  Value* const* matrices;
  int* pivots;  // n for each matrix, or null
  int* info;    // of each matrix: 0, or the place of the first zero on the diagonal of U, counted from 1
};

// op(A) X = B with the factors of A; X replaces B.
template <class Value>
struct FactorSolve {
  CBLAS_TRANSPOSE operation;
  int n, columns, a_leading, b_leading;
  const Value* const* factors;
  const int* pivots;  // or null
  Value* const* b;
};

// C = A^-1 with the factors of A.
template <class Value>
struct FactorInverse {
  int n, a_leading, c_leading;
  const Value* const* factors;
  const int* pivots;  // or null
  Value* const* c;
  int* info;
};

template <class Value>
void run_blocks(const Factor<Value>& work, const reprise_launch& launch);
template <class Value>
void run_blocks(const FactorSolve<Value>& work, const reprise_launch& launch);
template <class Value>
void run_blocks(const FactorInverse<Value>& work, const reprise_launch& launch);

}  // namespace reprise_cublas
