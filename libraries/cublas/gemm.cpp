// Entry points for matrix products: they check the arguments and launch one kernel.
#include "gemm.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "context.h"
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
    default:
      return std::nullopt;
  }
}

bool known(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N || operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

struct Shape {
  cublasOperation_t transa, transb;
  int m, n, k, batch;
};

// For real numbers the conjugate transpose is the transpose.
Matrices matrices(const void* base, const void* const* array, Element element, int leading, long long stride,
                  cublasOperation_t operation) {
  return {base, array, stride, leading, element, operation != CUBLAS_OP_N};
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
  return launch(Kernel::gemm, gemm.tiles() * gemm.batch, gemm.tile_work(), &gemm, handle->stream);
}

Gemm product(const Matrices& a, const Matrices& b, const Matrices& c) {
  Gemm gemm{};
  gemm.a = a;
  gemm.b = b;
  gemm.c = c;
  return gemm;
}

// `Value` is the type of the computation.
template <class Value>
cublasStatus_t multiply_by(cublasHandle_t handle, const Shape& shape, const Value* alpha, const Matrices& a,
                           const Matrices& b, const Value* beta, const Matrices& c) {
  if (!usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta) return CUBLAS_STATUS_INVALID_VALUE;
  Gemm gemm = product(a, b, c);
  const auto first = Scalar<Value>::of(alpha, handle->scalars_on_host()),
             second = Scalar<Value>::of(beta, handle->scalars_on_host());
  if constexpr (std::is_same_v<Value, double>) {
    gemm.f64 = true;
    gemm.alpha64 = first;
    gemm.beta64 = second;
  } else {
    gemm.alpha = first;
    gemm.beta = second;
  }
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
  gemm.alpha64.address = static_cast<const double*>(alpha);
  gemm.beta64.address = static_cast<const double*>(beta);
  return multiply(handle, shape, gemm);
}

struct Side {
  const void* base;
  const void* const* array;
  cudaDataType type;
  int leading;
  long long stride;
};

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

template <class Value>
constexpr Element element = std::is_same_v<Value, double> ? Element::f64 : Element::f32;

// A single product whose matrices have the type of the computation.
template <class Value>
cublasStatus_t multiply_one(cublasHandle_t handle, const Shape& shape, const Value* alpha, const Value* a, int lda,
                            const Value* b, int ldb, const Value* beta, Value* c, int ldc) {
  return multiply_by(handle, shape, alpha, matrices(a, nullptr, element<Value>, lda, 0, shape.transa),
                     matrices(b, nullptr, element<Value>, ldb, 0, shape.transb), beta,
                     matrices(c, nullptr, element<Value>, ldc, 0, CUBLAS_OP_N));
}

const void* const* pointers(const float* const array[]) { return reinterpret_cast<const void* const*>(array); }

}  // namespace

cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                              int k, const float* alpha, const float* A, int lda, const float* B, int ldb,
                              const float* beta, float* C, int ldc) {
  return multiply_one(handle, {transa, transb, m, n, k, 1}, alpha, A, lda, B, ldb, beta, C, ldc);
}

cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                              int k, const double* alpha, const double* A, int lda, const double* B, int ldb,
                              const double* beta, double* C, int ldc) {
  return multiply_one(handle, {transa, transb, m, n, k, 1}, alpha, A, lda, B, ldb, beta, C, ldc);
}

cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                  int n, int k, const float* alpha, const float* const Aarray[], int lda,
                                  const float* const Barray[], int ldb, const float* beta, float* const Carray[],
                                  int ldc, int batchCount) {
  return multiply_by(handle, {transa, transb, m, n, k, batchCount}, alpha,
                     matrices(nullptr, pointers(Aarray), Element::f32, lda, 0, transa),
                     matrices(nullptr, pointers(Barray), Element::f32, ldb, 0, transb), beta,
                     matrices(nullptr, pointers(Carray), Element::f32, ldc, 0, CUBLAS_OP_N));
}

cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                         int m, int n, int k, const float* alpha, const float* A, int lda,
                                         long long strideA, const float* B, int ldb, long long strideB,
                                         const float* beta, float* C, int ldc, long long strideC, int batchCount) {
  return multiply_by(handle, {transa, transb, m, n, k, batchCount}, alpha,
                     matrices(A, nullptr, Element::f32, lda, strideA, transa),
                     matrices(B, nullptr, Element::f32, ldb, strideB, transb), beta,
                     matrices(C, nullptr, Element::f32, ldc, strideC, CUBLAS_OP_N));
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
