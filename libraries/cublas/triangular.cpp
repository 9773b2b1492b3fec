// Entry points for triangular systems.
#include "triangular.h"

#include <algorithm>

#include "arguments.h"

using namespace reprise_cublas;

namespace {

struct Shape {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  cublasDiagType_t diag;
  int m, n, batch;

  bool valid() const {
    return (side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT) &&
           (uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER) && known(trans) &&
           (diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT) && m >= 0 && n >= 0 && batch >= 0;
  }
  int order() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
};

template <class Value>
cublasStatus_t solve(cublasHandle_t handle, const Shape& shape, const Value* alpha, const Value* A,
                     const Value* const* Aarray, int lda, Value* B, Value* const* Barray, int ldb) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!shape.valid() || !alpha || lda < std::max(1, shape.order()) || ldb < std::max(1, shape.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (shape.m == 0 || shape.n == 0 || shape.batch == 0) return CUBLAS_STATUS_SUCCESS;
  TriangularSolve<Value> work{shape.side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight,
                              shape.uplo == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper,
                              blas_operation(shape.trans),
                              shape.diag == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit,
                              shape.m,
                              shape.n,
                              lda,
                              ldb,
                              0,
                              Scalar<Value>::of(alpha, handle->scalars_on_host()),
                              A,
                              B,
                              Aarray,
                              Barray};
  // Some hundred thousand operations per block.
  const double operations = double{1} * shape.order() * shape.order();
  work.part = std::max(16, static_cast<int>(500'000 / operations));
  return launch(work, parts(work.independent(), work.part) * static_cast<uint64_t>(shape.batch),
                operations * std::min(work.part, work.independent()), handle->stream);
}

}  // namespace

#define TRIANGULAR(T, t)                                                                                              \
  cublasStatus_t cublas##t##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,              \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,     \
                                    const T* A, int lda, T* B, int ldb) {                                             \
    return solve(handle, {side, uplo, trans, diag, m, n, 1}, numbers(alpha), numbers(A), decltype(arrays(&A)){}, lda, \
                 numbers(B), decltype(arrays(&B)){}, ldb);                                                            \
  }                                                                                                                   \
  cublasStatus_t cublas##t##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,          \
                                        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha, \
                                        const T* const A[], int lda, T* const B[], int ldb, int batchCount) {         \
    return solve(handle, {side, uplo, trans, diag, m, n, batchCount}, numbers(alpha), decltype(numbers(*A)){},        \
                 arrays(A), lda, decltype(numbers(*B)){}, arrays(B), ldb);                                            \
  }
TRIANGULAR(float, S)
TRIANGULAR(double, D)
TRIANGULAR(cuComplex, C)
TRIANGULAR(cuDoubleComplex, Z)
