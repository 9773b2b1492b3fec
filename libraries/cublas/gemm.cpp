// Entry points for matrix products: they check the arguments and launch one kernel.
#include "gemm.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "arguments.h"
#include "small_float.h"

using namespace reprise_cublas;

namespace {

std::optional<Element> element_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return Element::f32;
    case CUDA_R_16F:
      return Element::f16;
    case CUDA_R_16BF:
      return Element::bf16;
    case CUDA_R_64F:
      return Element::f64;
    case CUDA_C_32F:
      return Element::c32;
    case CUDA_C_64F:
      return Element::c64;
    default:
      return std::nullopt;
  }
}

struct Shape {
  cublasOperation_t transa, transb;
  int m, n, k, batch;
};

Matrices matrices(const void* base, const void* const* array, Element element, int leading, long long stride,
                  cublasOperation_t operation) {
  return {base, array, stride, leading, element, operation != CUBLAS_OP_N, operation == CUBLAS_OP_C};
}

bool fits(const Matrices& matrices, int rows, int columns) {
  return matrices.leading >= std::max(1, matrices.transposed ? columns : rows);
}

cublasStatus_t multiply(cublasHandle_t handle, const Shape& shape, Gemm gemm) {
  if (!known(shape.transa) || !known(shape.transb)) return CUBLAS_STATUS_INVALID_VALUE;
  if (shape.m < 0 || shape.n < 0 || shape.k < 0 || shape.batch < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (!fits(gemm.a, shape.m, shape.k) || !fits(gemm.b, shape.k, shape.n) || !fits(gemm.c, shape.m, shape.n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (shape.m == 0 || shape.n == 0 || shape.batch == 0) return CUBLAS_STATUS_SUCCESS;
  gemm.m = shape.m;
  gemm.n = shape.n;
  gemm.k = shape.k;
  gemm.batch = shape.batch;
  choose_tiles(gemm, handle->cores);
  return launch(gemm, gemm.tiles() * gemm.batch, gemm.tile_work(), handle->stream);
}

Gemm product(const Matrices& a, const Matrices& b, const Matrices& c) {
  Gemm gemm{};
  gemm.a = a;
  gemm.b = b;
  gemm.c = c;
  return gemm;
}

// The element of a type of numbers.
template <class Value>
constexpr Element element = std::is_same_v<Value, double>          ? Element::f64
                            : std::is_same_v<Value, Complex>       ? Element::c32
                            : std::is_same_v<Value, DoubleComplex> ? Element::c64
                                                                   : Element::f32;

// `Value` is the type of the computation.
template <class Value>
cublasStatus_t multiply_by(cublasHandle_t handle, const Shape& shape, const Value* alpha, const Matrices& a,
                           const Matrices& b, const Value* beta, const Matrices& c) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
  Gemm gemm = product(a, b, c);
  gemm.compute = element<Value>;
  gemm.alpha = AnyScalar::of(alpha, handle->scalars_on_host());
  gemm.beta = AnyScalar::of(beta, handle->scalars_on_host());
  return multiply(handle, shape, gemm);
}

// Halves are multiplied in single precision; only alpha and beta have the compute type of the call.
cublasStatus_t multiply_f16(cublasHandle_t handle, const Shape& shape, const void* alpha, Matrices a, Matrices b,
                            const void* beta, Matrices c) {
  if (handle->scalars_on_host()) {
    const float alpha32 = widened(Element::f16, alpha), beta32 = widened(Element::f16, beta);
    return multiply_by(handle, shape, &alpha32, a, b, &beta32, c);
  }
  Gemm gemm = product(a, b, c);
  gemm.half_scalars = true;
  gemm.alpha.address = alpha;
  gemm.beta.address = beta;
  return multiply(handle, shape, gemm);
}

struct Side {
  const void* base;
  const void* const* array;
  cudaDataType type;
  int leading;
  long long stride;
};

cublasStatus_t multiply_complex(cublasHandle_t handle, const Shape& shape, const void* alpha, const Matrices& a,
                                const Matrices& b, const void* beta, const Matrices& c, cublasComputeType_t compute) {
  const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool fits = a.element == c.element && in_double == (a.element == Element::c64) &&
                    compute != CUBLAS_COMPUTE_16F && compute != CUBLAS_COMPUTE_16F_PEDANTIC;
  if (!fits) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (in_double) {
    return multiply_by(handle, shape, static_cast<const DoubleComplex*>(alpha), a, b,
                       static_cast<const DoubleComplex*>(beta), c);
  }
  return multiply_by(handle, shape, static_cast<const Complex*>(alpha), a, b, static_cast<const Complex*>(beta), c);
}

cublasStatus_t multiply_any(cublasHandle_t handle, const Shape& shape, const void* alpha, const Side& a, const Side& b,
                            const void* beta, const Side& c, cublasComputeType_t compute) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
  const auto ea = element_of(a.type), eb = element_of(b.type), ec = element_of(c.type);
  if (!ea || !eb || !ec || ea != eb) return CUBLAS_STATUS_NOT_SUPPORTED;
  const Matrices ma = matrices(a.base, a.array, *ea, a.leading, a.stride, shape.transa);
  const Matrices mb = matrices(b.base, b.array, *eb, b.leading, b.stride, shape.transb);
  const Matrices mc = matrices(c.base, c.array, *ec, c.leading, c.stride, CUBLAS_OP_N);
  const bool all_f64 = ea == Element::f64 && ec == Element::f64;
  // Complex numbers are multiplied in their own precision.
  if (ea == Element::c32 || ea == Element::c64)
    return multiply_complex(handle, shape, alpha, ma, mb, beta, mc, compute);
  switch (compute) {
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      if (!all_f64) return CUBLAS_STATUS_NOT_SUPPORTED;
      return multiply_by(handle, shape, static_cast<const double*>(alpha), ma, mb, static_cast<const double*>(beta),
                         mc);
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      if (ea != Element::f16 || ec != Element::f16) return CUBLAS_STATUS_NOT_SUPPORTED;
      return multiply_f16(handle, shape, alpha, ma, mb, beta, mc);
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      // Single precision into single precision, 16 bits into the same or into single precision.
      if (ea == Element::f64 || ec == Element::f64 || (ec != Element::f32 && ec != ea))
        return CUBLAS_STATUS_NOT_SUPPORTED;
      return multiply_by(handle, shape, static_cast<const float*>(alpha), ma, mb, static_cast<const float*>(beta), mc);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

// Products whose matrices have the type of the computation: one, or a batch by strides or by arrays.
template <class Value>
cublasStatus_t multiply_one(cublasHandle_t handle, const Shape& shape, const Value* alpha, const Value* a, int lda,
                            long long stride_a, const Value* b, int ldb, long long stride_b, const Value* beta,
                            Value* c, int ldc, long long stride_c) {
  return multiply_by(handle, shape, alpha, matrices(a, nullptr, element<Value>, lda, stride_a, shape.transa),
                     matrices(b, nullptr, element<Value>, ldb, stride_b, shape.transb), beta,
                     matrices(c, nullptr, element<Value>, ldc, stride_c, CUBLAS_OP_N));
}

template <class T>
const void* const* pointers(const T* const array[]) {
  return reinterpret_cast<const void* const*>(array);
}

template <class Value, class T>
cublasStatus_t multiply_batch(cublasHandle_t handle, const Shape& shape, const Value* alpha, const T* const a[],
                              int lda, const T* const b[], int ldb, const Value* beta, T* const c[], int ldc) {
  return multiply_by(handle, shape, alpha, matrices(nullptr, pointers(a), element<Value>, lda, 0, shape.transa),
                     matrices(nullptr, pointers(b), element<Value>, ldb, 0, shape.transb), beta,
                     matrices(nullptr, pointers(c), element<Value>, ldc, 0, CUBLAS_OP_N));
}

}  // namespace

#define PRODUCTS(T, t, version)                                                                                       \
  cublasStatus_t cublas##t##gemm##version(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                          int m, int n, int k, const T* alpha, const T* A, int lda, const T* B,       \
                                          int ldb, const T* beta, T* C, int ldc) {                                    \
    return multiply_one(handle, {transa, transb, m, n, k, 1}, numbers(alpha), numbers(A), lda, 0, numbers(B), ldb, 0, \
                        numbers(beta), numbers(C), ldc, 0);                                                           \
  }                                                                                                                   \
  cublasStatus_t cublas##t##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,    \
                                        int m, int n, int k, const T* alpha, const T* const Aarray[], int lda,        \
                                        const T* const Barray[], int ldb, const T* beta, T* const Carray[], int ldc,  \
                                        int batchCount) {                                                             \
    return multiply_batch(handle, {transa, transb, m, n, k, batchCount}, numbers(alpha), Aarray, lda, Barray, ldb,    \
                          numbers(beta), Carray, ldc);                                                                \
  }                                                                                                                   \
  cublasStatus_t cublas##t##gemmStridedBatched(                                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const T* alpha, \
      const T* A, int lda, long long strideA, const T* B, int ldb, long long strideB, const T* beta, T* C, int ldc,   \
      long long strideC, int batchCount) {                                                                            \
    return multiply_one(handle, {transa, transb, m, n, k, batchCount}, numbers(alpha), numbers(A), lda, strideA,      \
                        numbers(B), ldb, strideB, numbers(beta), numbers(C), ldc, strideC);                           \
  }
PRODUCTS(float, S, _v2)
PRODUCTS(double, D, _v2)
PRODUCTS(cuComplex, C, _v2)
PRODUCTS(cuDoubleComplex, Z, _v2)

// Halves by the rules of the calls that name all types.
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           int k, const __half* alpha, const __half* A, int lda, const __half* B, int ldb,
                           const __half* beta, __half* C, int ldc) {
  return cublasHgemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                  int n, int k, const __half* alpha, const __half* const Aarray[], int lda,
                                  const __half* const Barray[], int ldb, const __half* beta, __half* const Carray[],
                                  int ldc, int batchCount) {
  return multiply_any(handle, {transa, transb, m, n, k, batchCount}, alpha,
                      {nullptr, pointers(Aarray), CUDA_R_16F, lda, 0}, {nullptr, pointers(Barray), CUDA_R_16F, ldb, 0},
                      beta, {nullptr, pointers(Carray), CUDA_R_16F, ldc, 0}, CUBLAS_COMPUTE_16F);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                         int m, int n, int k, const __half* alpha, const __half* A, int lda,
                                         long long strideA, const __half* B, int ldb, long long strideB,
                                         const __half* beta, __half* C, int ldc, long long strideC, int batchCount) {
  return multiply_any(handle, {transa, transb, m, n, k, batchCount}, alpha, {A, nullptr, CUDA_R_16F, lda, strideA},
                      {B, nullptr, CUDA_R_16F, ldb, strideB}, beta, {C, nullptr, CUDA_R_16F, ldc, strideC},
                      CUBLAS_COMPUTE_16F);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return multiply_any(handle, {transa, transb, m, n, k, 1}, alpha, {A, nullptr, Atype, lda, 0},
                      {B, nullptr, Btype, ldb, 0}, beta, {C, nullptr, Ctype, ldc, 0}, computeType);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                   int n, int k, const void* alpha, const void* const Aarray[], cudaDataType Atype,
                                   int lda, const void* const Barray[], cudaDataType Btype, int ldb, const void* beta,
                                   void* const Carray[], cudaDataType Ctype, int ldc, int batchCount,
                                   cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return multiply_any(handle, {transa, transb, m, n, k, batchCount}, alpha, {nullptr, Aarray, Atype, lda, 0},
                      {nullptr, Barray, Btype, ldb, 0}, beta, {nullptr, Carray, Ctype, ldc, 0}, computeType);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype,
                                          int lda, long long strideA, const void* B, cudaDataType Btype, int ldb,
                                          long long strideB, const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long strideC, int batchCount, cublasComputeType_t computeType,
                                          cublasGemmAlgo_t) {
  return multiply_any(handle, {transa, transb, m, n, k, batchCount}, alpha, {A, nullptr, Atype, lda, strideA},
                      {B, nullptr, Btype, ldb, strideB}, beta, {C, nullptr, Ctype, ldc, strideC}, computeType);
}
