#include "kernels/matrix/matmul.h"

#include <limits>
#include <optional>

#include "kernels/elementwise/elementwise.h"
#include "kernels/matrix/cublas_handle.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

// A batch of matrices in a form that cuBLAS accepts: rows (or columns, if transposed) are contiguous, and the stride
// between matrices is constant.
struct Matrices {
  void* data;
  bool transposed;
  std::int64_t leading, batch_stride;
};

// The distance between rows, if the matrix is row-major.
std::optional<std::int64_t> row_stride(std::int64_t rows, std::int64_t columns, std::int64_t stride,
                                       std::int64_t inner) {
  if (columns > 1 && inner != 1) return std::nullopt;
  if (rows <= 1) return std::max<std::int64_t>(columns, 1);
  if (stride < columns || stride < 1) return std::nullopt;
  return stride;
}

// One matrix, or [batch, rows, columns].
std::optional<Matrices> as_matrices(const Tensor& x) {
  const Sizes &sizes = x.sizes(), &strides = x.strides();
  int rows = sizes.size() - 2, columns = rows + 1;
  std::int64_t batch_stride = rows > 0 && sizes[0] > 1 ? strides[0] : 0;
  if (auto leading = row_stride(sizes[rows], sizes[columns], strides[rows], strides[columns]))
    return Matrices{x.data(), false, *leading, batch_stride};
  if (auto leading = row_stride(sizes[columns], sizes[rows], strides[columns], strides[rows]))
    return Matrices{x.data(), true, *leading, batch_stride};
  return std::nullopt;
}

// `copy` holds the memory of a copy if one is needed.
Matrices as_matrices_or_copy(const Tensor& x, Tensor& copy) {
  if (std::optional<Matrices> matrices = as_matrices(x)) return *matrices;
  copy = clone(x);
  return *as_matrices(copy);
}

cudaDataType type_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return CUDA_R_64F;
    case DType::f32:
      return CUDA_R_32F;
    case DType::f16:
      return CUDA_R_16F;
    case DType::bf16:
      return CUDA_R_16BF;
    default:
      fail("matmul: matrices of ", dtype, " are not supported");
  }
}

struct Shape {
  std::int64_t batch, rows, depth, columns;
};

// cuBLAS is column-major, so it sees our matrices transposed and computes out^T = b^T a^T.
void gemm(DType dtype, const Shape& shape, const Matrices& out, const Matrices& a, const Matrices& b, double alpha,
          double beta) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  check(std::max({shape.batch, shape.rows, shape.depth, shape.columns, a.leading, b.leading, out.leading}) <= most,
        "matmul: ", shape.batch, " times [", shape.rows, ", ", shape.depth, "] by [", shape.depth, ", ", shape.columns,
        "] is too large for cuBLAS");
  cublasOperation_t a_op = a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, b_op = b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  int m = static_cast<int>(shape.columns), n = static_cast<int>(shape.rows), k = static_cast<int>(shape.depth),
      batch = static_cast<int>(shape.batch);
  int lda = static_cast<int>(a.leading), ldb = static_cast<int>(b.leading), ldc = static_cast<int>(out.leading);
  float falpha = static_cast<float>(alpha), fbeta = static_cast<float>(beta);
  float *to = static_cast<float*>(out.data), *left = static_cast<float*>(a.data), *right = static_cast<float*>(b.data);
  CublasCall call;
  cublasStatus_t status;
  if (dtype == DType::f32 && batch == 1) {
    status = cublasSgemm(call.handle(), b_op, a_op, m, n, k, &falpha, right, ldb, left, lda, &fbeta, to, ldc);
  } else if (dtype == DType::f32) {
    status = cublasSgemmStridedBatched(call.handle(), b_op, a_op, m, n, k, &falpha, right, ldb, b.batch_stride, left,
                                       lda, a.batch_stride, &fbeta, to, ldc, out.batch_stride, batch);
  } else {
    const cudaDataType type = type_of(dtype);
    const bool twice = dtype == DType::f64;
    const void *first = twice ? static_cast<const void*>(&alpha) : &falpha,
               *second = twice ? static_cast<const void*>(&beta) : &fbeta;
    status =
        cublasGemmStridedBatchedEx(call.handle(), b_op, a_op, m, n, k, first, b.data, type, ldb, b.batch_stride, a.data,
                                   type, lda, a.batch_stride, second, out.data, type, ldc, out.batch_stride, batch,
                                   twice ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  }
  check_cublas(status, "matmul");
}

Matrices transposed(const Matrices& x) { return {x.data, !x.transposed, x.leading, x.batch_stride}; }

// One matrix by another, or [batch, rows, depth] by [batch, depth, columns].
void multiply(const Tensor& out, const Tensor& a, const Tensor& b, double alpha, double beta) {
  if (out.numel() == 0) return;
  int last = out.dim() - 1;
  Shape shape{last == 2 ? out.sizes()[0] : 1, out.sizes()[last - 1], a.sizes()[last], out.sizes()[last]};
  if (shape.depth == 0) {
    if (beta == 0) return zero_(out);
    return mul_(out, beta);
  }
  std::optional<Matrices> to = as_matrices(out);
  if (!to) {
    Tensor dense = clone(out);
    multiply(dense, a, b, alpha, beta);
    return copy_(out, dense);
  }
  Tensor a_copy, b_copy;
  Matrices left = as_matrices_or_copy(a, a_copy), right = as_matrices_or_copy(b, b_copy);
  if (!to->transposed) return gemm(a.dtype(), shape, *to, left, right, alpha, beta);
  std::swap(shape.rows, shape.columns);
  gemm(a.dtype(), shape, transposed(*to), transposed(right), transposed(left), alpha, beta);
}

void check_operands(const Tensor& a, const Tensor& b) {
  check(a.dim() >= 1 && b.dim() >= 1, "matmul: ", a.sizes(), " by ", b.sizes(),
        ": both must have at least one dimension");
  check(a.dtype() == b.dtype(), "matmul: ", a.dtype(), " ", a.sizes(), " by ", b.dtype(), " ", b.sizes(),
        ": the types differ; convert one with to()");
  check(is_floating(a.dtype()), "matmul: ", a.dtype(), " ", a.sizes(), " by ", b.dtype(), " ", b.sizes(),
        ": matrices of ", a.dtype(), " are not supported; convert them with to()");
  std::int64_t depth = b.sizes()[b.dim() == 1 ? 0 : b.dim() - 2];
  check(a.sizes().back() == depth, "matmul: ", a.sizes(), " by ", b.sizes(), ": ", a.sizes().back(), " columns meet ",
        depth, " rows");
}

Sizes batch_sizes(const Tensor& x) { return Sizes(x.sizes().begin(), x.sizes().end() - 2); }

Sizes broadcast_batches(const Tensor& a, const Tensor& b) {
  const Sizes of_a = batch_sizes(a), of_b = batch_sizes(b);
  try {
    return broadcast(of_a, of_b, "matmul");
  } catch (const Error&) {
    fail("matmul: ", a.sizes(), " by ", b.sizes(), ": the batches ", of_a, " and ", of_b, " do not broadcast");
  }
}

Sizes matrices_in(const Sizes& batch, std::int64_t rows, std::int64_t columns) {
  Sizes sizes = batch;
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}

// [..., rows, columns] expanded to the batch sizes, as [batch, rows, columns]; a single matrix stays a matrix.
Tensor one_batch(const Tensor& x, const Sizes& batch) {
  std::int64_t rows = x.sizes()[x.dim() - 2], columns = x.sizes().back();
  std::int64_t own = product(batch_sizes(x));
  if (own == 1) return expand(reshape(x, {1, rows, columns}), {product(batch), rows, columns});
  return reshape(expand(x, matrices_in(batch, rows, columns)), {product(batch), rows, columns});
}

// A batch times one matrix is a single product, if the rows of the batch can be viewed as one matrix.
bool rows_can_be_one_matrix(const Tensor& a, const Tensor& b) {
  return b.dim() == 2 && a.dim() > 2 && a.is_contiguous();
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b) {
  check_operands(a, b);
  if (a.dim() == 1) return squeeze(matmul(unsqueeze(a, 0), b), b.dim() == 1 ? 0 : -2);
  if (b.dim() == 1) return squeeze(matmul(a, unsqueeze(b, 1)), -1);
  std::int64_t rows = a.sizes()[a.dim() - 2], columns = b.sizes().back();
  if (a.dim() == 2 && b.dim() == 2) {
    Tensor out = empty({rows, columns}, a.dtype());
    multiply(out, a, b, 1, 0);
    return out;
  }
  Sizes batch = broadcast_batches(a, b);
  Tensor out = empty(matrices_in(batch, rows, columns), a.dtype());
  if (out.numel() == 0) return out;
  if (rows_can_be_one_matrix(a, b)) {
    std::int64_t all = product(batch) * rows;
    multiply(view(out, {all, columns}), view(a, {all, a.sizes().back()}), b, 1, 0);
  } else {
    multiply(view(out, {product(batch), rows, columns}), one_batch(a, batch), one_batch(b, batch), 1, 0);
  }
  return out;
}

void matmul_out(const Tensor& out, const Tensor& a, const Tensor& b, double alpha, double beta) {
  check(a.dim() >= 2 && b.dim() >= 2, "matmul_out: ", a.sizes(), " by ", b.sizes(),
        ": both must be matrices, or batches of them");
  check_operands(a, b);
  Sizes batch = broadcast_batches(a, b);
  Sizes sizes = matrices_in(batch, a.sizes()[a.dim() - 2], b.sizes().back());
  check(out.sizes() == sizes && out.dtype() == a.dtype(), "matmul_out: the result of ", a.dtype(), " ", sizes,
        " does not fit into ", out.dtype(), " ", out.sizes());
  if (out.dim() == 2) return multiply(out, a, b, alpha, beta);
  std::int64_t count = product(batch);
  if (out.is_contiguous()) {
    multiply(view(out, {count, sizes[sizes.size() - 2], sizes.back()}), one_batch(a, batch), one_batch(b, batch), alpha,
             beta);
  } else {
    Tensor dense = clone(out);
    matmul_out(dense, a, b, alpha, beta);
    copy_(out, dense);
  }
}

}  // namespace reprise::kernels
