#include "raw/matmul.h"

#include "raw/copy.h"
#include "raw/cublas_handle.h"
#include "raw/elementwise.h"
#include "raw/empty.h"
#include "raw/views.h"

#include <limits>
#include <optional>

namespace reprise::raw {
namespace {

// A batch of matrices as cuBLAS takes it: each row (or, transposed, each column) dense, and one stride between matrices.
struct Matrices {
  Tensor tensor;  // keeps the memory
  bool transposed;
  std::int64_t leading, batch_stride;
};

// The distance between rows, where a matrix of rows x columns lies row by row.
std::optional<std::int64_t> row_stride(std::int64_t rows, std::int64_t columns, std::int64_t stride, std::int64_t inner) {
  if (columns > 1 && inner != 1) return std::nullopt;
  if (rows <= 1) return std::max<std::int64_t>(columns, 1);
  if (stride < columns || stride < 1) return std::nullopt;
  return stride;
}

std::optional<Matrices> as_matrices(const Tensor& x) {  // [batch, rows, columns]
  const Sizes& sizes = x.sizes();
  const Sizes& strides = x.strides();
  std::int64_t batch_stride = sizes[0] > 1 ? strides[0] : 0;
  if (auto leading = row_stride(sizes[1], sizes[2], strides[1], strides[2])) return Matrices{x, false, *leading, batch_stride};
  if (auto leading = row_stride(sizes[2], sizes[1], strides[2], strides[1])) return Matrices{x, true, *leading, batch_stride};
  return std::nullopt;
}

Matrices as_matrices_or_copy(const Tensor& x) {
  if (std::optional<Matrices> matrices = as_matrices(x)) return *matrices;
  return *as_matrices(clone(x));
}

cudaDataType type_of(DType dtype) {
  switch (dtype) {
    case DType::f32: return CUDA_R_32F;
    case DType::f16: return CUDA_R_16F;
    case DType::bf16: return CUDA_R_16BF;
    default: fail("matmul: matrices of ", dtype, " are not supported; convert them with to()");
  }
}

// cuBLAS's matrices lie column by column, so ours are transposed ones there, and what is computed is out^T = b^T a^T.
void gemm(const Matrices& out, const Matrices& a, const Matrices& b, std::int64_t batch, double alpha, double beta) {
  std::int64_t rows = out.tensor.sizes()[1], columns = out.tensor.sizes()[2], depth = a.tensor.sizes()[2];
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  check(rows <= most && columns <= most && depth <= most && batch <= most && a.leading <= most && b.leading <= most && out.leading <= most,
        "matmul: ", a.tensor.sizes(), " by ", b.tensor.sizes(), " is too large for cuBLAS");
  cublasOperation_t a_op = a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, b_op = b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  int m = static_cast<int>(columns), n = static_cast<int>(rows), k = static_cast<int>(depth);
  int lda = static_cast<int>(a.leading), ldb = static_cast<int>(b.leading), ldc = static_cast<int>(out.leading);
  float falpha = static_cast<float>(alpha), fbeta = static_cast<float>(beta);
  void *to = out.tensor.data(), *left = a.tensor.data(), *right = b.tensor.data();
  CublasCall call;
  cublasStatus_t status;
  if (out.tensor.dtype() == DType::f32 && batch == 1) {
    status = cublasSgemm(call.handle(), b_op, a_op, m, n, k, &falpha, static_cast<float*>(right), ldb, static_cast<float*>(left), lda, &fbeta,
                         static_cast<float*>(to), ldc);
  } else if (out.tensor.dtype() == DType::f32) {
    status = cublasSgemmStridedBatched(call.handle(), b_op, a_op, m, n, k, &falpha, static_cast<float*>(right), ldb, b.batch_stride,
                                       static_cast<float*>(left), lda, a.batch_stride, &fbeta, static_cast<float*>(to), ldc, out.batch_stride,
                                       static_cast<int>(batch));
  } else {
    cudaDataType type = type_of(out.tensor.dtype());
    status = cublasGemmStridedBatchedEx(call.handle(), b_op, a_op, m, n, k, &falpha, right, type, ldb, b.batch_stride, left, type, lda, a.batch_stride,
                                        &fbeta, to, type, ldc, out.batch_stride, static_cast<int>(batch), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  }
  check_cublas(status, "matmul");
}

Matrices transposed(const Matrices& x) { return {transpose(x.tensor, 1, 2), !x.transposed, x.leading, x.batch_stride}; }

// [batch, rows, depth] by [batch, depth, columns], or by one matrix (or one matrix by all of a batch).
void multiply(const Tensor& out, const Tensor& a, const Tensor& b, double alpha, double beta) {
  if (out.numel() == 0) return;
  if (a.sizes()[2] == 0) {
    if (beta == 0) return zero_(out);
    return mul_(out, beta);
  }
  std::optional<Matrices> to = as_matrices(out);
  if (!to) {
    Tensor dense = clone(out);
    multiply(dense, a, b, alpha, beta);
    return copy_(out, dense);
  }
  Matrices left = as_matrices_or_copy(a), right = as_matrices_or_copy(b);
  std::int64_t batch = out.sizes()[0];
  if (to->transposed) return gemm(transposed(*to), transposed(right), transposed(left), batch, alpha, beta);
  gemm(*to, left, right, batch, alpha, beta);
}

void check_operands(const Tensor& a, const Tensor& b) {
  check(a.dim() >= 1 && b.dim() >= 1, "matmul: ", a.sizes(), " by ", b.sizes(), ": both must have at least one dimension");
  check(a.dtype() == b.dtype(), "matmul: ", a.dtype(), " ", a.sizes(), " by ", b.dtype(), " ", b.sizes(), ": the types differ; convert one with to()");
  type_of(a.dtype());
  std::int64_t depth = b.sizes()[b.dim() == 1 ? 0 : b.dim() - 2];
  check(a.sizes().back() == depth, "matmul: ", a.sizes(), " by ", b.sizes(), ": ", a.sizes().back(), " columns meet ", depth, " rows");
}

Sizes batch_sizes(const Tensor& x) { return Sizes(x.sizes().begin(), x.sizes().end() - 2); }

Sizes matrices_in(const Sizes& batch, std::int64_t rows, std::int64_t columns) {
  Sizes sizes = batch;
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}

// [.., rows, columns] for the batch sizes as [batch, rows, columns]; one matrix for all of them stays one.
Tensor one_batch(const Tensor& x, const Sizes& batch) {
  std::int64_t rows = x.sizes()[x.dim() - 2], columns = x.sizes().back();
  std::int64_t own = product(batch_sizes(x));
  if (own == 1) return expand(reshape(x, {1, rows, columns}), {product(batch), rows, columns});
  return reshape(expand(x, matrices_in(batch, rows, columns)), {product(batch), rows, columns});
}

// Many matrices by one are one product of all their rows, where these can be seen as those of one matrix.
bool rows_can_be_one_matrix(const Tensor& a, const Tensor& b) { return b.dim() == 2 && a.dim() > 2 && a.is_contiguous(); }

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  check_operands(a, b);
  if (a.dim() == 1) return squeeze(matmul(unsqueeze(a, 0), b), b.dim() == 1 ? 0 : -2);
  if (b.dim() == 1) return squeeze(matmul(a, unsqueeze(b, 1)), -1);
  std::int64_t rows = a.sizes()[a.dim() - 2], columns = b.sizes().back();
  Sizes batch = broadcast(batch_sizes(a), batch_sizes(b), "matmul");
  Tensor out = empty(matrices_in(batch, rows, columns), a.dtype());
  if (out.numel() == 0) return out;
  if (rows_can_be_one_matrix(a, b)) {
    std::int64_t all = product(batch) * rows;
    multiply(view(out, {1, all, columns}), view(a, {1, all, a.sizes().back()}), unsqueeze(b, 0), 1, 0);
  } else {
    multiply(view(out, {product(batch), rows, columns}), one_batch(a, batch), one_batch(b, batch), 1, 0);
  }
  return out;
}

void matmul_out(const Tensor& out, const Tensor& a, const Tensor& b, double alpha, double beta) {
  check(a.dim() >= 2 && b.dim() >= 2, "matmul_out: ", a.sizes(), " by ", b.sizes(), ": both must be matrices, or batches of them");
  check_operands(a, b);
  Sizes batch = broadcast(batch_sizes(a), batch_sizes(b), "matmul_out");
  Sizes sizes = matrices_in(batch, a.sizes()[a.dim() - 2], b.sizes().back());
  check(out.sizes() == sizes && out.dtype() == a.dtype(), "matmul_out: the result of ", a.dtype(), " ", sizes, " does not fit into ", out.dtype(), " ",
        out.sizes());
  std::int64_t count = product(batch);
  if (out.dim() == 2 || out.is_contiguous()) {
    multiply(view(out, {count, sizes[sizes.size() - 2], sizes.back()}), one_batch(a, batch), one_batch(b, batch), alpha, beta);
  } else {
    Tensor dense = clone(out);
    matmul_out(dense, a, b, alpha, beta);
    copy_(out, dense);
  }
}

}  // namespace reprise::raw
