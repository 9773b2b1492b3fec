#include "kernels/device/device_index.h"
#include "kernels/device/element.h"
#include "kernels/device/launch.h"
#include "kernels/elementwise/operations.h"
#include "kernels/tensor/output.h"
#include "kernels/tensor/pieces.h"

namespace reprise::kernels {
namespace {

const char* name_of(TernaryOp op) {
  constexpr const char* names[] = {"where", "addcmul", "addcdiv", "lerp", "maximum_backward", "minimum_backward"};
  static_assert(sizeof names / sizeof names[0] == static_cast<int>(TernaryOp::count), "");
  return names[static_cast<int>(op)];
}

// f32, except for the condition of `where`.
template <TernaryOp op, class A>
__global__ void dense(float* out, const A* a, const float* b, const float* c, float p, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = apply<op>(static_cast<float>(a[i]), b[i], c[i], p);
}

struct Operand {
  const void* data;
  DType dtype;
};

// Any strides and types.
template <class C>
__global__ void strided(TernaryOp op, void* out, DType out_type, Operand a, Operand b, Operand c, C p,
                        DeviceIndex<4> index, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[4];
  index.places(i, at);
  C first = load<C>(a.data, a.dtype, at[1]), second = load<C>(b.data, b.dtype, at[2]),
    third = load<C>(c.data, c.dtype, at[3]);
  store<C>(out, out_type, at[0], apply_any(op, first, second, third, p));
}

template <TernaryOp op, class A>
void launch_dense(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c, double p, unsigned n) {
  dense<op, A><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
      out.data<float>(), a.data<A>(), b.data<float>(), c.data<float>(), static_cast<float>(p), n);
}

// Returns false if there is no fast kernel for the operation.
bool run_dense(TernaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c, double p,
               const Layout<4>& layout) {
  DType first = op == TernaryOp::where ? DType::boolean : DType::f32;
  if (!layout.dense() || a.dtype() != first || b.dtype() != DType::f32 || c.dtype() != DType::f32 ||
      out.dtype() != DType::f32)
    return false;
  unsigned n = static_cast<unsigned>(layout.numel);
  switch (op) {
    case TernaryOp::where:
      launch_dense<TernaryOp::where, bool>(out, a, b, c, p, n);
      break;
    case TernaryOp::addcmul:
      launch_dense<TernaryOp::addcmul, float>(out, a, b, c, p, n);
      break;
    case TernaryOp::addcdiv:
      launch_dense<TernaryOp::addcdiv, float>(out, a, b, c, p, n);
      break;
    case TernaryOp::lerp:
      launch_dense<TernaryOp::lerp, float>(out, a, b, c, p, n);
      break;
    case TernaryOp::larger_backward:
      launch_dense<TernaryOp::larger_backward, float>(out, a, b, c, p, n);
      break;
    case TernaryOp::smaller_backward:
      launch_dense<TernaryOp::smaller_backward, float>(out, a, b, c, p, n);
      break;
    case TernaryOp::count:
      return false;
  }
  return true;
}

DType result_type(TernaryOp op, const Tensor& a, const Tensor& b, const Tensor& c) {
  DType promoted = promoted_type(b, c);
  if (op == TernaryOp::where) return promoted;
  if (op == TernaryOp::larger_backward || op == TernaryOp::smaller_backward) return a.dtype();
  promoted = promote(promoted, a.dtype());
  return is_floating(promoted) ? promoted : DType::f32;
}

void run(TernaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c, double p) {
  Layout<4> layout = layout_of(out.sizes(), out, a, b, c);
  if (!run_dense(op, out, a, b, c, p, layout)) {
    unsigned n = static_cast<unsigned>(layout.numel);
    const DType computed = computed_type(result_type(op, a, b, c));
    Operand first{a.data(), a.dtype()}, second{b.data(), b.dtype()}, third{c.data(), c.dtype()};
    DeviceIndex<4> index(layout);
    if (computed == DType::f64) {
      strided<double><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(op, out.data(), out.dtype(), first,
                                                                                 second, third, p, index, n);
    } else if (computed == DType::f32) {
      strided<float><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
          op, out.data(), out.dtype(), first, second, third, static_cast<float>(p), index, n);
    } else {
      strided<std::int64_t><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
          op, out.data(), out.dtype(), first, second, third, std::int64_t(0), index, n);
    }
  }
  check_launch(name_of(op));
}

Sizes result_sizes(TernaryOp op, const Tensor& a, const Tensor& b, const Tensor& c) {
  check(op != TernaryOp::where || a.dtype() == DType::boolean, "where: the condition is of ", a.dtype(), " ", a.sizes(),
        ", not of bool");
  return broadcast(broadcast(a.sizes(), b.sizes(), name_of(op)), c.sizes(), name_of(op));
}

}  // namespace

void ternary_out(TernaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c, double p) {
  check_output(out, result_sizes(op, a, b, c), name_of(op));
  in_pieces([&](const Tensor& to, const Tensor& x, const Tensor& y, const Tensor& z) { run(op, to, x, y, z, p); }, out,
            a, b, c);
}

Tensor ternary(TernaryOp op, const Tensor& a, const Tensor& b, const Tensor& c, double p) {
  Tensor out = empty(result_sizes(op, a, b, c), result_type(op, a, b, c));
  in_pieces([&](const Tensor& to, const Tensor& x, const Tensor& y, const Tensor& z) { run(op, to, x, y, z, p); }, out,
            a, b, c);
  return out;
}

}  // namespace reprise::kernels
