// Entry points for sums of matrices.
#include "matrix.h"

#include <algorithm>

#include "context.h"

using namespace reprise_cublas;

namespace {

// Enough columns for a block to be worth a worker.
int columns_of_part(int rows) { return 1 + (1 << 14) / rows; }

uint64_t parts(int columns, int part) { return static_cast<uint64_t>((int64_t{columns} + part - 1) / part); }

bool known(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

}  // namespace

cublasStatus_t cublasSger_v2(cublasHandle_t handle, int m, int n, const float* alpha, const float* x, int incx,
                             const float* y, int incy, float* A, int lda) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 || !alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  Outer outer{m, n, lda, incx, incy, columns_of_part(m), Scalar<float>::of(alpha, handle->scalars_on_host()), x, y, A};
  return launch(Kernel::outer, parts(n, outer.part), 2.0 * m * std::min(n, outer.part), &outer, handle->stream);
}

cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           const float* alpha, const float* A, int lda, const float* beta, const float* B, int ldb,
                           float* C, int ldc) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!known(transa) || !known(transb) || !alpha || !beta || m < 0 || n < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const bool ta = transa != CUBLAS_OP_N, tb = transb != CUBLAS_OP_N;
  if (lda < std::max(1, ta ? n : m) || ldb < std::max(1, tb ? n : m) || ldc < std::max(1, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  // In-place operation is allowed only without a transpose and with equal leading dimensions.
  if ((C == A && (ta || lda != ldc)) || (C == B && (tb || ldb != ldc))) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool on_host = handle->scalars_on_host();
  Sum sum{ta,
          tb,
          m,
          n,
          lda,
          ldb,
          ldc,
          columns_of_part(m),
          Scalar<float>::of(alpha, on_host),
          Scalar<float>::of(beta, on_host),
          A,
          B,
          C};
  return launch(Kernel::sum, parts(n, sum.part), 2.0 * m * std::min(n, sum.part), &sum, handle->stream);
}
