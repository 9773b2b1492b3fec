#include "kernels/device/launch.h"
#include "kernels/elementwise/binary_integer.h"
#include "kernels/elementwise/operations.h"

namespace reprise::kernels {
namespace {

// `C` is the type of the computation: for bool the narrowest one.
template <BinaryOp op, class Out, class T, class C>
__global__ void dense(Out* out, const T* a, const T* b, C p, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<Out>(apply<op, C>(a[i], b[i], p));
}

template <BinaryOp op, class Out, class T, class C>
__global__ void dense_with_number(Out* out, const T* a, C b, C p, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<Out>(apply<op, C>(a[i], b, p));
}

template <BinaryOp op>
bool launch_i64(const Tensor& out, const Tensor& a, const Tensor* b, std::int64_t number, std::int64_t p, unsigned n) {
  using Out = std::conditional_t<gives_bool(op), bool, std::int64_t>;
  if (out.dtype() != dtype_of<Out>) return false;
  if (b) {
    dense<op><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        out.data<Out>(), static_cast<const std::int64_t*>(a.data()), static_cast<const std::int64_t*>(b->data()), p, n);
  } else {
    dense_with_number<op><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        out.data<Out>(), static_cast<const std::int64_t*>(a.data()), number, p, n);
  }
  return true;
}

template <BinaryOp op>
bool launch_bool(const Tensor& out, const Tensor& a, const Tensor* b, unsigned n) {
  if (out.dtype() != DType::boolean || !b) return false;
  dense<op><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
      out.data<bool>(), static_cast<const unsigned char*>(a.data()), static_cast<const unsigned char*>(b->data()),
      static_cast<unsigned char>(0), n);
  return true;
}

}  // namespace

bool run_integer(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor* b, std::int64_t number, std::int64_t p,
                 unsigned n) {
  if (b && b->dtype() != a.dtype()) return false;
  if (a.dtype() == DType::boolean) {
    switch (op) {
      case BinaryOp::logical_and:
        return launch_bool<BinaryOp::logical_and>(out, a, b, n);
      case BinaryOp::logical_or:
        return launch_bool<BinaryOp::logical_or>(out, a, b, n);
      case BinaryOp::logical_xor:
        return launch_bool<BinaryOp::logical_xor>(out, a, b, n);
      default:
        return false;
    }
  }
  if (a.dtype() != DType::i64) return false;
  switch (op) {
    case BinaryOp::add:
      return launch_i64<BinaryOp::add>(out, a, b, number, p, n);
    case BinaryOp::mul:
      return launch_i64<BinaryOp::mul>(out, a, b, number, p, n);
    case BinaryOp::eq:
      return launch_i64<BinaryOp::eq>(out, a, b, number, p, n);
    case BinaryOp::ne:
      return launch_i64<BinaryOp::ne>(out, a, b, number, p, n);
    case BinaryOp::lt:
      return launch_i64<BinaryOp::lt>(out, a, b, number, p, n);
    case BinaryOp::le:
      return launch_i64<BinaryOp::le>(out, a, b, number, p, n);
    case BinaryOp::gt:
      return launch_i64<BinaryOp::gt>(out, a, b, number, p, n);
    case BinaryOp::ge:
      return launch_i64<BinaryOp::ge>(out, a, b, number, p, n);
    default:
      return false;
  }
}

}  // namespace reprise::kernels
