// Entry points for vectors.
#include "vector.h"

#include <algorithm>

#include "context.h"

using namespace reprise_cublas;

namespace {

// Long enough for a part to be worth a worker, and a multiple of a cache line.
constexpr int elements_of_part = 1 << 14;

uint64_t parts(int n, int part) { return static_cast<uint64_t>((int64_t{n} + part - 1) / part); }

cublasStatus_t reduce(cublasHandle_t handle, Reduction reduction) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!reduction.result) return CUBLAS_STATUS_INVALID_VALUE;
  // As in BLAS, norms of a vector with a zero or negative increment are zero.
  if (reduction.what != Reduction::What::dot && reduction.incx <= 0) reduction.n = 0;
  reduction.n = std::max(reduction.n, 0);
  const cublasStatus_t status = launch(Kernel::reduction, 1, reduction.n, &reduction, handle->stream);
  if (status != CUBLAS_STATUS_SUCCESS || !handle->scalars_on_host()) return status;
  // A result in host memory must be available when the call returns.
  return cudaStreamSynchronize(handle->stream) == cudaSuccess ? status : CUBLAS_STATUS_EXECUTION_FAILED;
}

// Without a factor.
cublasStatus_t run(cublasHandle_t handle, Vector vector) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (vector.n <= 0) return CUBLAS_STATUS_SUCCESS;
  // With an increment of 0, all parts would access the same element.
  const bool one_place = vector.incy == 0 || (vector.what == Vector::What::exchange && vector.incx == 0);
  vector.part = one_place ? vector.n : elements_of_part;
  return launch(Kernel::vector, parts(vector.n, vector.part), std::min(vector.n, vector.part), &vector, handle->stream);
}

cublasStatus_t run(cublasHandle_t handle, Vector vector, const float* alpha) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (vector.n <= 0) return CUBLAS_STATUS_SUCCESS;
  vector.alpha = Scalar<float>::of(alpha, handle->scalars_on_host());
  return run(handle, vector);
}

}  // namespace

cublasStatus_t cublasSnrm2_v2(cublasHandle_t handle, int n, const float* x, int incx, float* result) {
  return reduce(handle, {Reduction::What::norm, n, incx, 1, x, nullptr, result});
}

cublasStatus_t cublasSasum_v2(cublasHandle_t handle, int n, const float* x, int incx, float* result) {
  return reduce(handle, {Reduction::What::sum_of_magnitudes, n, incx, 1, x, nullptr, result});
}

cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
                             float* result) {
  return reduce(handle, {Reduction::What::dot, n, incx, incy, x, y, result});
}

cublasStatus_t cublasSscal_v2(cublasHandle_t handle, int n, const float* alpha, float* x, int incx) {
  if (incx <= 0) n = 0;
  return run(handle, {Vector::What::scale, n, incx, incx, 0, {}, x, x}, alpha);
}

cublasStatus_t cublasSaxpy_v2(cublasHandle_t handle, int n, const float* alpha, const float* x, int incx, float* y,
                              int incy) {
  return run(handle, {Vector::What::add, n, incx, incy, 0, {}, const_cast<float*>(x), y}, alpha);
}

cublasStatus_t cublasScopy_v2(cublasHandle_t handle, int n, const float* x, int incx, float* y, int incy) {
  return run(handle, {Vector::What::copy, n, incx, incy, 0, {}, const_cast<float*>(x), y});
}

cublasStatus_t cublasSswap_v2(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy) {
  return run(handle, {Vector::What::exchange, n, incx, incy, 0, {}, x, y});
}

cublasStatus_t cublasIsamax_v2(cublasHandle_t handle, int n, const float* x, int incx, int* result) {
  return reduce(handle, {Reduction::What::greatest, n, incx, 1, x, nullptr, result});
}

cublasStatus_t cublasIsamin_v2(cublasHandle_t handle, int n, const float* x, int incx, int* result) {
  return reduce(handle, {Reduction::What::least, n, incx, 1, x, nullptr, result});
}

cublasStatus_t cublasSgemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha,
                              const float* A, int lda, const float* x, int incx, const float* beta, float* y,
                              int incy) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (trans != CUBLAS_OP_N && trans != CUBLAS_OP_T && trans != CUBLAS_OP_C) return CUBLAS_STATUS_INVALID_VALUE;
  if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool transposed = trans != CUBLAS_OP_N;
  const int results = transposed ? n : m, terms = transposed ? m : n;
  Gemv gemv{transposed,
            m,
            n,
            lda,
            incx,
            incy,
            0,
            Scalar<float>::of(alpha, handle->scalars_on_host()),
            Scalar<float>::of(beta, handle->scalars_on_host()),
            A,
            x,
            y};
  gemv.part = std::max(64, 1 + elements_of_part * 4 / terms) / 16 * 16;
  return launch(Kernel::gemv, parts(results, gemv.part), 2.0 * gemv.part * terms, &gemv, handle->stream);
}
