// Entry points for sums of matrices.
#include "matrix.h"

#include <algorithm>

#include "arguments.h"

using namespace reprise_cublas;

namespace {

// Enough columns for a block to be worth a worker.
int columns_of_part(int rows) { return 1 + (1 << 14) / rows; }

template <class Value>
cublasStatus_t add_outer(cublasHandle_t handle, bool conjugated, int m, int n, const Value* alpha, const Value* x,
                         int incx, const Value* y, int incy, Value* A, int lda) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 || !alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  Outer<Value> outer{
      conjugated, m, n, lda, incx, incy, columns_of_part(m), Scalar<Value>::of(alpha, handle->scalars_on_host()),
      x,          y, A};
  return launch(outer, parts(n, outer.part), 2.0 * m * std::min(n, outer.part), handle->stream);
}

template <class Value>
cublasStatus_t add(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                   const Value* alpha, const Value* A, int lda, const Value* beta, const Value* B, int ldb, Value* C,
                   int ldc) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!known(transa) || !known(transb) || !alpha || !beta || m < 0 || n < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;
  if (lda < std::max(1, ta ? n : m) || ldb < std::max(1, tb ? n : m) || ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  // In-place operation is allowed only without a transpose and with equal leading dimensions.
  if ((C == A && (ta || lda != ldc)) || (C == B && (tb || ldb != ldc))) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool on_host = handle->scalars_on_host();
  Sum<Value> sum{blas_operation(transa),
                 blas_operation(transb),
                 m,
                 n,
                 lda,
                 ldb,
                 ldc,
                 columns_of_part(m),
                 Scalar<Value>::of(alpha, on_host),
                 Scalar<Value>::of(beta, on_host),
                 A,
                 B,
                 C};
  return launch(sum, parts(n, sum.part), 2.0 * m * std::min(n, sum.part), handle->stream);
}

}  // namespace

#define OUTER(T, name, conjugated)                                                                                   \
  cublasStatus_t cublas##name##_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx,        \
                                   const T* y, int incy, T* A, int lda) {                                            \
    return add_outer(handle, conjugated, m, n, numbers(alpha), numbers(x), incx, numbers(y), incy, numbers(A), lda); \
  }
OUTER(float, Sger, false)
OUTER(double, Dger, false)
OUTER(cuComplex, Cgeru, false)
OUTER(cuComplex, Cgerc, true)
OUTER(cuDoubleComplex, Zgeru, false)
OUTER(cuDoubleComplex, Zgerc, true)

#define SUM(T, t)                                                                                                      \
  cublasStatus_t cublas##t##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,     \
                                 int n, const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, \
                                 int ldc) {                                                                            \
    return add(handle, transa, transb, m, n, numbers(alpha), numbers(A), lda, numbers(beta), numbers(B), ldb,          \
               numbers(C), ldc);                                                                                       \
  }
SUM(float, S)
SUM(double, D)
SUM(cuComplex, C)
SUM(cuDoubleComplex, Z)
