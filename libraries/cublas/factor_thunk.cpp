#include <algorithm>

#include "factor.h"

// LAPACK's, which OpenBLAS contains.
extern "C" {
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* pivots, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void cgetrf_(const int* m, const int* n, std::complex<float>* a, const int* lda, int* pivots, int* info);
void zgetrf_(const int* m, const int* n, std::complex<double>* a, const int* lda, int* pivots, int* info);
}

namespace reprise_cublas {
namespace {

int factorise(int n, float* a, int lda, int* pivots) {
  int info = 0;
  sgetrf_(&n, &n, a, &lda, pivots, &info);
  return info;
}
int factorise(int n, double* a, int lda, int* pivots) {
  int info = 0;
  dgetrf_(&n, &n, a, &lda, pivots, &info);
  return info;
}
int factorise(int n, Complex* a, int lda, int* pivots) {
  int info = 0;
  cgetrf_(&n, &n, a, &lda, pivots, &info);
  return info;
}
int factorise(int n, DoubleComplex* a, int lda, int* pivots) {
  int info = 0;
  zgetrf_(&n, &n, a, &lda, pivots, &info);
  return info;
}

// Without exchanges of rows, which LAPACK does not offer.
template <class Value>
int factorise_in_order(int n, Value* a, int64_t lda) {
  int info = 0;
  for (int k = 0; k < n; ++k) {
    const Value pivot = a[k + k * lda];
    if (pivot == Value(0)) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int row = k + 1; row < n; ++row) a[row + k * lda] /= pivot;
    for (int column = k + 1; column < n; ++column)
      for (int row = k + 1; row < n; ++row) a[row + column * lda] -= a[row + k * lda] * a[k + column * lda];
  }
  return info;
}

// The exchanges of rows that the factorisation made, in its order or backwards.
template <class Value>
void exchange_rows(int n, int columns, const int* pivots, bool backwards, Value* b, int64_t ldb) {
  if (!pivots) return;
  for (int i = 0; i < n; ++i) {
    const int row = backwards ? n - 1 - i : i, other = pivots[row] - 1;
    if (other != row) swap(columns, b + row, static_cast<int>(ldb), b + other, static_cast<int>(ldb));
  }
}

template <class Value>
void solve(CBLAS_TRANSPOSE operation, int n, int columns, const Value* factors, int lda, const int* pivots, Value* b,
           int ldb) {
  const Value one(1);
  const auto triangular = [&](CBLAS_UPLO uplo) {
    trsm(CblasLeft, uplo, operation, uplo == CblasLower ? CblasUnit : CblasNonUnit, n, columns, one, factors, lda, b,
         ldb);
  };
  if (operation == CblasNoTrans) {
    exchange_rows(n, columns, pivots, false, b, ldb);
    triangular(CblasLower);
    triangular(CblasUpper);
  } else {
    triangular(CblasUpper);
    triangular(CblasLower);
    exchange_rows(n, columns, pivots, true, b, ldb);
  }
}

template <class Value>
int zero_on_diagonal(int n, const Value* factors, int64_t lda) {
  for (int i = 0; i < n; ++i)
    if (factors[i + i * lda] == Value(0)) return i + 1;
  return 0;
}

// Calls run(batch) for the matrices of a launch.
template <class Run>
void for_batch(const reprise_launch& launch, Run run) {
  for (uint64_t block = launch.block_begin; block < launch.block_end; ++block) run(static_cast<int64_t>(block));
}

}  // namespace

template <class Value>
void run_blocks(const Factor<Value>& work, const reprise_launch& launch) {
  for_batch(launch, [&](int64_t i) {
    Value* a = work.matrices[i];
    work.info[i] = work.pivots ? factorise(work.n, a, work.leading, work.pivots + i * work.n)
                               : factorise_in_order(work.n, a, work.leading);
  });
}

template <class Value>
void run_blocks(const FactorSolve<Value>& work, const reprise_launch& launch) {
  for_batch(launch, [&](int64_t i) {
    solve(work.operation, work.n, work.columns, work.factors[i], work.a_leading,
          work.pivots ? work.pivots + i * work.n : nullptr, work.b[i], work.b_leading);
  });
}

template <class Value>
void run_blocks(const FactorInverse<Value>& work, const reprise_launch& launch) {
  for_batch(launch, [&](int64_t i) {
    Value* c = work.c[i];
    work.info[i] = zero_on_diagonal(work.n, work.factors[i], work.a_leading);
    if (work.info[i] != 0) return;
    for (int column = 0; column < work.n; ++column) {
      Value* of_column = c + static_cast<int64_t>(column) * work.c_leading;
      std::fill(of_column, of_column + work.n, Value(0));
      of_column[column] = Value(1);
    }
    solve(CblasNoTrans, work.n, work.n, work.factors[i], work.a_leading,
          work.pivots ? work.pivots + i * work.n : nullptr, c, work.c_leading);
  });
}

#define INSTANTIATE(Value)                                                    \
  template void run_blocks(const Factor<Value>&, const reprise_launch&);      \
  template void run_blocks(const FactorSolve<Value>&, const reprise_launch&); \
  template void run_blocks(const FactorInverse<Value>&, const reprise_launch&);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(Complex)
INSTANTIATE(DoubleComplex)

}  // namespace reprise_cublas
