// Copies of vectors and matrices between host and device memory.
#include <cublas_v2.h>

namespace {

// Copies `columns` columns of `rows` elements, `from_stride` and `to_stride` elements apart.
cublasStatus_t copy(int rows, int columns, int element, const void* from, int from_stride, void* to, int to_stride,
                    cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (rows < 0 || columns < 0 || element <= 0 || from_stride <= 0 || to_stride <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  if (from_stride < rows || to_stride < rows) return CUBLAS_STATUS_INVALID_VALUE;
  const size_t bytes = static_cast<size_t>(element), from_pitch = bytes * static_cast<size_t>(from_stride),
               to_pitch = bytes * static_cast<size_t>(to_stride), width = bytes * static_cast<size_t>(rows);
  const cudaError_t error =
      stream ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, static_cast<size_t>(columns), kind, *stream)
             : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, static_cast<size_t>(columns), kind);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace

cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* devicePtr, int incy) {
  return copy(1, n, elemSize, x, incx, devicePtr, incy, cudaMemcpyHostToDevice, nullptr);
}

cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy(1, n, elemSize, x, incx, y, incy, cudaMemcpyDeviceToHost, nullptr);
}

cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb) {
  return copy(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyHostToDevice, nullptr);
}

cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb) {
  return copy(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyDeviceToHost, nullptr);
}

cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* hostPtr, int incx, void* devicePtr, int incy,
                                    cudaStream_t stream) {
  return copy(1, n, elemSize, hostPtr, incx, devicePtr, incy, cudaMemcpyHostToDevice, &stream);
}

cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* devicePtr, int incx, void* hostPtr, int incy,
                                    cudaStream_t stream) {
  return copy(1, n, elemSize, devicePtr, incx, hostPtr, incy, cudaMemcpyDeviceToHost, &stream);
}

cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                    cudaStream_t stream) {
  return copy(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyHostToDevice, &stream);
}

cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                    cudaStream_t stream) {
  return copy(rows, cols, elemSize, A, lda, B, ldb, cudaMemcpyDeviceToHost, &stream);
}
