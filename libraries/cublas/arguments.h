// Checks and conversions that the entry points share.
#pragma once

#include <cublas_v2.h>

#include "blas.h"
#include "context.h"

namespace reprise_cublas {

inline bool known(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

inline CBLAS_TRANSPOSE blas_operation(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CblasNoTrans : operation == CUBLAS_OP_T ? CblasTrans : CblasConjTrans;
}

// CUDA's complex numbers have the layout of the standard library's.
inline const float* numbers(const float* from) { return from; }
inline const double* numbers(const double* from) { return from; }
inline const Complex* numbers(const cuComplex* from) { return reinterpret_cast<const Complex*>(from); }
inline const DoubleComplex* numbers(const cuDoubleComplex* from) {
  return reinterpret_cast<const DoubleComplex*>(from);
}
inline float* numbers(float* from) { return from; }
inline double* numbers(double* from) { return from; }
inline Complex* numbers(cuComplex* from) { return reinterpret_cast<Complex*>(from); }
inline DoubleComplex* numbers(cuDoubleComplex* from) { return reinterpret_cast<DoubleComplex*>(from); }

// The same for arrays of matrices.
template <class T>
auto arrays(const T* const* from) {
  return reinterpret_cast<decltype(numbers(static_cast<const T*>(nullptr))) const*>(from);
}
template <class T>
auto arrays(T* const* from) {
  return reinterpret_cast<decltype(numbers(static_cast<T*>(nullptr))) const*>(from);
}

}  // namespace reprise_cublas
