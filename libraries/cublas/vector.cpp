// Entry points for vectors: one row of each macro for each type of number.
#include "vector.h"

#include <algorithm>

#include "arguments.h"

using namespace reprise_cublas;

namespace {

// Long enough for a part to be worth a worker, and a multiple of a cache line.
constexpr int elements_of_part = 1 << 14;

template <class Value>
cublasStatus_t reduce(cublasHandle_t handle, VectorReduction what, int n, const Value* x, int incx, const Value* y,
                      int incy, void* result) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  // As in BLAS, norms of a vector with a zero or negative increment are zero.
  if (!y && incx <= 0) n = 0;
  Reduction<Value> work{what, std::max(n, 0), incx, incy, x, y, result};
  const cublasStatus_t status = launch(work, 1, work.n, handle->stream);
  if (status != CUBLAS_STATUS_SUCCESS || !handle->scalars_on_host()) return status;
  // A result in host memory must be available when the call returns.
  return cudaStreamSynchronize(handle->stream) == cudaSuccess ? status : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <class Value>
cublasStatus_t reduce(cublasHandle_t handle, VectorReduction what, int n, const Value* x, int incx, void* result) {
  return reduce<Value>(handle, what, n, x, incx, nullptr, 1, result);
}

// Without a factor.
template <class Value>
cublasStatus_t run(cublasHandle_t handle, Vector<Value> work) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (work.n <= 0) return CUBLAS_STATUS_SUCCESS;
  // With an increment of 0, all parts would access the same element.
  const bool one_place = work.incy == 0 || (work.operation == VectorOperation::exchange && work.incx == 0);
  work.part = one_place ? work.n : elements_of_part;
  return launch(work, parts(work.n, work.part), std::min(work.n, work.part), handle->stream);
}

template <class Value, class Factor>
cublasStatus_t run(cublasHandle_t handle, Vector<Value> work, const Factor* alpha, Scalar<Factor> Vector<Value>::* at) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (work.n <= 0) return CUBLAS_STATUS_SUCCESS;
  work.*at = Scalar<Factor>::of(alpha, handle->scalars_on_host());
  return run(handle, work);
}

template <class Value>
Vector<Value> vector_of(VectorOperation operation, int n, const Value* x, int incx, Value* y, int incy) {
  return {operation, n, incx, incy, 0, {}, {}, const_cast<Value*>(x), y};
}

template <class Value>
cublasStatus_t scale(cublasHandle_t handle, int n, const Value* alpha, Value* x, int incx) {
  return run(handle, vector_of<Value>(VectorOperation::scale, incx > 0 ? n : 0, x, incx, x, incx), alpha,
             &Vector<Value>::alpha);
}

template <class Value>
cublasStatus_t scale_by_real(cublasHandle_t handle, int n, const Real<Value>* alpha, Value* x, int incx) {
  return run(handle, vector_of<Value>(VectorOperation::scale_by_real, incx > 0 ? n : 0, x, incx, x, incx), alpha,
             &Vector<Value>::real_alpha);
}

template <class Value>
cublasStatus_t add(cublasHandle_t handle, int n, const Value* alpha, const Value* x, int incx, Value* y, int incy) {
  return run(handle, vector_of(VectorOperation::add, n, x, incx, y, incy), alpha, &Vector<Value>::alpha);
}

template <class Value>
cublasStatus_t multiply(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const Value* alpha,
                        const Value* A, int lda, const Value* x, int incx, const Value* beta, Value* y, int incy) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!known(trans)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool on_host = handle->scalars_on_host();
  Gemv<Value> gemv{blas_operation(trans),
                   m,
                   n,
                   lda,
                   incx,
                   incy,
                   0,
                   Scalar<Value>::of(alpha, on_host),
                   Scalar<Value>::of(beta, on_host),
                   A,
                   x,
                   y};
  const int terms = trans == CUBLAS_OP_N ? n : m;
  gemv.part = std::max(64, 1 + elements_of_part * 4 / terms) / 16 * 16;
  return launch(gemv, parts(gemv.results(), gemv.part), 2.0 * gemv.part * terms, handle->stream);
}

}  // namespace

#define VECTORS(T, t, Place)                                                                                           \
  cublasStatus_t cublas##t##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {                    \
    return scale(handle, n, numbers(alpha), numbers(x), incx);                                                         \
  }                                                                                                                    \
  cublasStatus_t cublas##t##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,          \
                                    int incy) {                                                                        \
    return add(handle, n, numbers(alpha), numbers(x), incx, numbers(y), incy);                                         \
  }                                                                                                                    \
  cublasStatus_t cublas##t##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {              \
    return run(handle, vector_of(VectorOperation::copy, n, numbers(x), incx, numbers(y), incy));                       \
  }                                                                                                                    \
  cublasStatus_t cublas##t##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {                    \
    return run(handle,                                                                                                 \
               vector_of(VectorOperation::exchange, n, numbers(static_cast<const T*>(x)), incx, numbers(y), incy));    \
  }                                                                                                                    \
  cublasStatus_t cublasI##Place##amax_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {            \
    return reduce(handle, VectorReduction::greatest, n, numbers(x), incx, result);                                     \
  }                                                                                                                    \
  cublasStatus_t cublasI##Place##amin_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {            \
    return reduce(handle, VectorReduction::least, n, numbers(x), incx, result);                                        \
  }                                                                                                                    \
  cublasStatus_t cublas##t##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,      \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy) {        \
    return multiply(handle, trans, m, n, numbers(alpha), numbers(A), lda, numbers(x), incx, numbers(beta), numbers(y), \
                    incy);                                                                                             \
  }
VECTORS(float, S, s)
VECTORS(double, D, d)
VECTORS(cuComplex, C, c)
VECTORS(cuDoubleComplex, Z, z)

#define MAGNITUDES(T, R, t)                                                                          \
  cublasStatus_t cublas##t##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx, R* result) { \
    return reduce(handle, VectorReduction::norm, n, numbers(x), incx, result);                       \
  }                                                                                                  \
  cublasStatus_t cublas##t##asum_v2(cublasHandle_t handle, int n, const T* x, int incx, R* result) { \
    return reduce(handle, VectorReduction::sum_of_magnitudes, n, numbers(x), incx, result);          \
  }
MAGNITUDES(float, float, S)
MAGNITUDES(double, double, D)
MAGNITUDES(cuComplex, float, Sc)
MAGNITUDES(cuDoubleComplex, double, Dz)

#define DOT(T, name, what)                                                                                   \
  cublasStatus_t cublas##name##_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, \
                                   T* result) {                                                              \
    return reduce(handle, VectorReduction::what, n, numbers(x), incx, numbers(y), incy, result);             \
  }
DOT(float, Sdot, dot)
DOT(double, Ddot, dot)
DOT(cuComplex, Cdotu, dot)
DOT(cuComplex, Cdotc, conjugated_dot)
DOT(cuDoubleComplex, Zdotu, dot)
DOT(cuDoubleComplex, Zdotc, conjugated_dot)

cublasStatus_t cublasCsscal_v2(cublasHandle_t handle, int n, const float* alpha, cuComplex* x, int incx) {
  return scale_by_real(handle, n, alpha, numbers(x), incx);
}
cublasStatus_t cublasZdscal_v2(cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x, int incx) {
  return scale_by_real(handle, n, alpha, numbers(x), incx);
}
