// Names and descriptions of status codes.
#include <cublas_v2.h>

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "unknown status";
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "the call went well";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the handle was not made by cublasCreate, or was destroyed";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "no memory for the library's own use";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an argument has a value that the call does not take";
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return "the device lacks what the call needs";
    case CUBLAS_STATUS_MAPPING_ERROR:
      return "memory could not be reached";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "the work could not be given to the stream, or failed";
    case CUBLAS_STATUS_INTERNAL_ERROR:
      return "the library failed by itself";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "this combination of types is not supported";
    case CUBLAS_STATUS_LICENSE_ERROR:
      return "the licence does not allow it";
  }
  return "unknown status";
}
