// Entry points for vectors whose types the call chooses.
#include "mixed_vector.h"

#include <algorithm>

#include "context.h"

using namespace reprise_cublas;

namespace {

bool known(cudaDataType type) {
  static const char zeros[16] = {};
  std::complex<double> unused;
  return load(type, zeros, 0, unused);
}

cublasStatus_t reduce(cublasHandle_t handle, MixedVector work) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!work.result) return CUBLAS_STATUS_INVALID_VALUE;
  if (!known(work.x_type) || !known(work.y_type) || !known(work.scalar_type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  work.n = work.operation == MixedOperation::norm && work.incx <= 0 ? 0 : std::max(work.n, 0);
  const cublasStatus_t status = launch(work, 1, 4.0 * work.n, handle->stream);
  if (status != CUBLAS_STATUS_SUCCESS || !handle->scalars_on_host()) return status;
  return cudaStreamSynchronize(handle->stream) == cudaSuccess ? status : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t combine(cublasHandle_t handle, MixedVector work, const void* alpha) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (!known(work.x_type) || !known(work.y_type) || !known(work.scalar_type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (work.n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (handle->scalars_on_host()) {
    static_cast<void>(load(work.scalar_type, alpha, 0, work.alpha));
  } else {
    work.alpha_address = alpha;
  }
  return launch(work, 1, 4.0 * work.n, handle->stream);
}

MixedVector dot(MixedOperation operation, int n, const void* x, cudaDataType xType, int incx, const void* y,
                cudaDataType yType, int incy, void* result, cudaDataType resultType) {
  return {operation, n, incx, incy, xType, yType, resultType, x, const_cast<void*>(y), {}, nullptr, result};
}

}  // namespace

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, const void* y,
                           cudaDataType yType, int incy, void* result, cudaDataType resultType, cudaDataType) {
  return reduce(handle, dot(MixedOperation::dot, n, x, xType, incx, y, yType, incy, result, resultType));
}

cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, const void* y,
                            cudaDataType yType, int incy, void* result, cudaDataType resultType, cudaDataType) {
  return reduce(handle, dot(MixedOperation::conjugated_dot, n, x, xType, incx, y, yType, incy, result, resultType));
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, void* result,
                            cudaDataType resultType, cudaDataType) {
  return reduce(handle, dot(MixedOperation::norm, n, x, xType, incx, x, xType, incx, result, resultType));
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType, void* x,
                            cudaDataType xType, int incx, cudaDataType) {
  return combine(
      handle,
      {MixedOperation::scale, incx > 0 ? n : 0, incx, incx, xType, xType, alphaType, x, x, {}, nullptr, nullptr},
      alpha);
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType, const void* x,
                            cudaDataType xType, int incx, void* y, cudaDataType yType, int incy, cudaDataType) {
  return combine(handle, {MixedOperation::add, n, incx, incy, xType, yType, alphaType, x, y, {}, nullptr, nullptr},
                 alpha);
}
