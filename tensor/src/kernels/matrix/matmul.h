// Matrix products by cuBLAS, in full float32 precision. Transposed views are not copied.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

// Like PyTorch's matmul: vectors, matrices, and batches of matrices whose batch dimensions broadcast.
Tensor matmul(const Tensor& a, const Tensor& b);
// out = beta * out + alpha * (a @ b) for matrices or batches of them of the same batch sizes.
void matmul_out(const Tensor& out, const Tensor& a, const Tensor& b, double alpha = 1, double beta = 0);

}  // namespace reprise::kernels
