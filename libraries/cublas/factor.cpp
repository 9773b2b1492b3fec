// Entry points for batches of small dense systems.
#include "factor.h"

#include <algorithm>

#include "arguments.h"

using namespace reprise_cublas;

namespace {

double cube(int n) { return double{1} * n * n * n; }

template <class Value>
cublasStatus_t factorise(cublasHandle_t handle, Factor<Value> work, int batch) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (work.n < 0 || batch < 0 || work.leading < std::max(1, work.n)) return CUBLAS_STATUS_INVALID_VALUE;
  if (work.n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(work, static_cast<uint64_t>(batch), cube(work.n), handle->stream);
}

// `info` is in host memory: the number of the first wrong parameter, negative, or 0.
template <class Value>
cublasStatus_t solve(cublasHandle_t handle, cublasOperation_t trans, FactorSolve<Value> work, int* info, int batch) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info) return CUBLAS_STATUS_INVALID_VALUE;
  const int wrong = !known(trans)                          ? 1
                    : work.n < 0                           ? 2
                    : work.columns < 0                     ? 3
                    : work.a_leading < std::max(1, work.n) ? 5
                    : work.b_leading < std::max(1, work.n) ? 8
                    : batch < 0                            ? 10
                                                           : 0;
  *info = -wrong;
  if (wrong) return CUBLAS_STATUS_INVALID_VALUE;
  if (work.n == 0 || work.columns == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  work.operation = blas_operation(trans);
  return launch(work, static_cast<uint64_t>(batch), 2.0 * work.n * work.n * work.columns, handle->stream);
}

template <class Value>
cublasStatus_t invert(cublasHandle_t handle, FactorInverse<Value> work, int batch) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (work.n < 0 || batch < 0 || work.a_leading < std::max(1, work.n) || work.c_leading < std::max(1, work.n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (work.n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  return launch(work, static_cast<uint64_t>(batch), 2 * cube(work.n), handle->stream);
}

}  // namespace

#define FACTOR(T, Value, t)                                                                                        \
  cublasStatus_t cublas##t##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, int* P, int* info,   \
                                         int batchSize) {                                                          \
    return factorise<Value>(handle, {n, lda, arrays(A), P, info}, batchSize);                                      \
  }                                                                                                                \
  cublasStatus_t cublas##t##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,          \
                                         const T* const Aarray[], int lda, const int* devIpiv, T* const Barray[],  \
                                         int ldb, int* info, int batchSize) {                                      \
    return solve<Value>(handle, trans, {CblasNoTrans, n, nrhs, lda, ldb, arrays(Aarray), devIpiv, arrays(Barray)}, \
                        info, batchSize);                                                                          \
  }                                                                                                                \
  cublasStatus_t cublas##t##getriBatched(cublasHandle_t handle, int n, const T* const A[], int lda, const int* P,  \
                                         T* const C[], int ldc, int* info, int batchSize) {                        \
    return invert<Value>(handle, {n, lda, ldc, arrays(A), P, arrays(C), info}, batchSize);                         \
  }
FACTOR(float, float, S)
FACTOR(double, double, D)
FACTOR(cuComplex, Complex, C)
FACTOR(cuDoubleComplex, DoubleComplex, Z)
