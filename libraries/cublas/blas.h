// OpenBLAS by one name for all types of numbers.
#pragma once

#include <cblas.h>

#include <complex>
#include <type_traits>

namespace reprise_cublas {

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

template <class Value>
inline constexpr bool is_complex = std::is_same_v<Value, Complex> || std::is_same_v<Value, DoubleComplex>;

// The type of magnitudes.
template <class Value>
struct RealOf {
  using type = Value;
};
template <class Value>
struct RealOf<std::complex<Value>> {
  using type = Value;
};
template <class Value>
using Real = typename RealOf<Value>::type;

// Real functions take factors by value, complex ones by address.
#define REPRISE_BLAS(T, p, nrm, factor, ger_call)                                                                      \
  inline void scal(int n, T alpha, T* x, int incx) { cblas_##p##scal(n, factor(alpha), x, incx); }                     \
  inline void axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {                                             \
    cblas_##p##axpy(n, factor(alpha), x, incx, y, incy);                                                               \
  }                                                                                                                    \
  inline void copy(int n, const T* x, int incx, T* y, int incy) { cblas_##p##copy(n, x, incx, y, incy); }              \
  inline void swap(int n, T* x, int incx, T* y, int incy) { cblas_##p##swap(n, x, incx, y, incy); }                    \
  inline Real<T> nrm2(int n, const T* x, int incx) { return cblas_##nrm##nrm2(n, x, incx); }                           \
  inline Real<T> asum(int n, const T* x, int incx) { return cblas_##nrm##asum(n, x, incx); }                           \
  inline void gemv(CBLAS_TRANSPOSE trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta,    \
                   T* y, int incy) {                                                                                   \
    cblas_##p##gemv(CblasColMajor, trans, m, n, factor(alpha), a, lda, x, incx, factor(beta), y, incy);                \
  }                                                                                                                    \
  inline void ger(bool conjugated, int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) { \
    ger_call(p)(CblasColMajor, m, n, factor(alpha), x, incx, y, incy, a, lda);                                         \
  }                                                                                                                    \
  inline void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, T alpha, const T* a, int lda,          \
                   const T* b, int ldb, T beta, T* c, int ldc) {                                                       \
    cblas_##p##gemm(CblasColMajor, ta, tb, m, n, k, factor(alpha), a, lda, b, ldb, factor(beta), c, ldc);              \
  }                                                                                                                    \
  inline void trsm(CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE trans, CBLAS_DIAG diag, int m, int n, T alpha,    \
                   const T* a, int lda, T* b, int ldb) {                                                               \
    cblas_##p##trsm(CblasColMajor, side, uplo, trans, diag, m, n, factor(alpha), a, lda, b, ldb);                      \
  }

#define REPRISE_BY_VALUE(x) x
#define REPRISE_BY_ADDRESS(x) &(x)
#define REPRISE_REAL_GER(p) (static_cast<void>(conjugated), cblas_##p##ger)
#define REPRISE_COMPLEX_GER(p) (conjugated ? cblas_##p##gerc : cblas_##p##geru)

REPRISE_BLAS(float, s, s, REPRISE_BY_VALUE, REPRISE_REAL_GER)
REPRISE_BLAS(double, d, d, REPRISE_BY_VALUE, REPRISE_REAL_GER)
REPRISE_BLAS(Complex, c, sc, REPRISE_BY_ADDRESS, REPRISE_COMPLEX_GER)
REPRISE_BLAS(DoubleComplex, z, dz, REPRISE_BY_ADDRESS, REPRISE_COMPLEX_GER)

#undef REPRISE_BLAS
#undef REPRISE_BY_VALUE
#undef REPRISE_BY_ADDRESS
#undef REPRISE_REAL_GER
#undef REPRISE_COMPLEX_GER

inline float dot(bool, int n, const float* x, int incx, const float* y, int incy) {
  return cblas_sdot(n, x, incx, y, incy);
}
inline double dot(bool, int n, const double* x, int incx, const double* y, int incy) {
  return cblas_ddot(n, x, incx, y, incy);
}
// `conjugated`: of the first vector.
inline Complex dot(bool conjugated, int n, const Complex* x, int incx, const Complex* y, int incy) {
  Complex result;
  (conjugated ? cblas_cdotc_sub : cblas_cdotu_sub)(n, x, incx, y, incy, &result);
  return result;
}
inline DoubleComplex dot(bool conjugated, int n, const DoubleComplex* x, int incx, const DoubleComplex* y, int incy) {
  DoubleComplex result;
  (conjugated ? cblas_zdotc_sub : cblas_zdotu_sub)(n, x, incx, y, incy, &result);
  return result;
}

}  // namespace reprise_cublas
