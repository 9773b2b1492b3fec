#include "kernels/device/element.h"
#include "kernels/device/launch.h"
#include "kernels/elementwise/binary_half.h"
#include "kernels/elementwise/operations.h"

namespace reprise::kernels {
namespace {

template <BinaryOp op, class T>
__global__ void dense(T* out, const T* a, const T* b, float p, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put(out[i], apply<op>(get(a[i]), get(b[i]), p));
}

template <BinaryOp op, class T>
__global__ void dense_with_number(T* out, const T* a, float b, float p, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put(out[i], apply<op>(get(a[i]), b, p));
}

template <BinaryOp op, class T>
bool launch(const Tensor& out, const Tensor& a, const Tensor* b, float number, float p, unsigned n) {
  unsigned blocks = blocks_for(n);
  if (b) {
    dense<op, T><<<blocks, threads_per_block, 0, current_stream()>>>(out.data<T>(), a.data<T>(), b->data<T>(), p, n);
  } else {
    dense_with_number<op, T>
        <<<blocks, threads_per_block, 0, current_stream()>>>(out.data<T>(), a.data<T>(), number, p, n);
  }
  return true;
}

template <class T>
bool run(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor* b, float number, float p, unsigned n) {
  switch (op) {
    case BinaryOp::add:
      return launch<BinaryOp::add, T>(out, a, b, number, p, n);
    case BinaryOp::mul:
      return launch<BinaryOp::mul, T>(out, a, b, number, p, n);
    case BinaryOp::div:
      return launch<BinaryOp::div, T>(out, a, b, number, p, n);
    case BinaryOp::maximum:
      return launch<BinaryOp::maximum, T>(out, a, b, number, p, n);
    case BinaryOp::relu_backward:
      return launch<BinaryOp::relu_backward, T>(out, a, b, number, p, n);
    case BinaryOp::gelu_backward:
      return launch<BinaryOp::gelu_backward, T>(out, a, b, number, p, n);
    default:
      return false;
  }
}

}  // namespace

bool run_half(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor* b, float number, float p, unsigned n) {
  if (out.dtype() != a.dtype() || (b && b->dtype() != a.dtype())) return false;
  if (a.dtype() == DType::f16) return run<__half>(op, out, a, b, number, p, n);
  if (a.dtype() == DType::bf16) return run<__nv_bfloat16>(op, out, a, b, number, p, n);
  return false;
}

}  // namespace reprise::kernels
