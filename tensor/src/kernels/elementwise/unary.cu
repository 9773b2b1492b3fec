#include <array>

#include "kernels/device/dense_run.h"
#include "kernels/device/dependent_launch.h"
#include "kernels/device/device_index.h"
#include "kernels/device/element.h"
#include "kernels/elementwise/operations.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/output.h"
#include "kernels/tensor/pieces.h"

namespace reprise::kernels {
namespace {

constexpr int operations = static_cast<int>(UnaryOp::count);

const char* name_of(UnaryOp op) {
  constexpr const char* names[] = {"neg",   "abs",   "sign", "reciprocal", "square",      "relu",      "clamp",
                                   "sub",   "floor", "ceil", "round",      "trunc",       "exp",       "log",
                                   "sqrt",  "rsqrt", "sin",  "cos",        "tanh",        "sigmoid",   "gelu",
                                   "tan",   "asin",  "acos", "atan",       "sinh",        "cosh",      "log1p",
                                   "expm1", "erf",   "div",  "pow",        "logical_not", "is_finite", "is_nan"};
  static_assert(sizeof names / sizeof names[0] == operations, "");
  return names[static_cast<int>(op)];
}

template <UnaryOp op>
using Result = std::conditional_t<gives_bool(op), bool, float>;

template <UnaryOp op>
__global__ void dense(void* out, const float* a, float p, float q, unsigned n) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) static_cast<Result<op>*>(out)[i] = static_cast<Result<op>>(apply<op>(a[i], p, q));
}

// The same for f16 and bf16.
template <UnaryOp op, class T>
__global__ void dense_half(T* out, const T* a, float p, float q, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put(out[i], apply<op>(get(a[i]), p, q));
}

// Any strides and types.
template <class C>
__global__ void strided(UnaryOp op, void* out, DType out_type, const void* a, DType a_type, C p, C q,
                        DeviceIndex<2> index, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[2];
  index.places(i, at);
  store<C>(out, out_type, at[0], apply_any(op, load<C>(a, a_type, at[1]), p, q));
}

using Dense = void (*)(void*, const float*, float, float, unsigned);

template <int... i>
std::array<Dense, operations> make_kernels(std::integer_sequence<int, i...>) {
  return {{dense<UnaryOp(i)>...}};
}

Dense kernel_of(UnaryOp op) {
  static const std::array<Dense, operations> kernels = make_kernels(std::make_integer_sequence<int, operations>());
  return kernels[static_cast<int>(op)];
}

template <UnaryOp op, class T>
bool launch_half(const Tensor& out, const Tensor& a, unsigned n) {
  dense_half<op, T><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(out.data<T>(), a.data<T>(), 0.f, 0.f, n);
  return true;
}

// Fast kernels for the operations that matter in models. Returns false if there is none.
template <class T>
bool run_half(UnaryOp op, const Tensor& out, const Tensor& a, unsigned n) {
  switch (op) {
    case UnaryOp::relu:
      return launch_half<UnaryOp::relu, T>(out, a, n);
    case UnaryOp::gelu:
      return launch_half<UnaryOp::gelu, T>(out, a, n);
    case UnaryOp::tanh:
      return launch_half<UnaryOp::tanh, T>(out, a, n);
    case UnaryOp::sigmoid:
      return launch_half<UnaryOp::sigmoid, T>(out, a, n);
    case UnaryOp::exp:
      return launch_half<UnaryOp::exp, T>(out, a, n);
    case UnaryOp::square:
      return launch_half<UnaryOp::square, T>(out, a, n);
    default:
      return false;
  }
}

bool run_half(UnaryOp op, const Tensor& out, const Tensor& a, unsigned n) {
  if (out.dtype() != a.dtype()) return false;
  if (a.dtype() == DType::f16) return run_half<__half>(op, out, a, n);
  if (a.dtype() == DType::bf16) return run_half<__nv_bfloat16>(op, out, a, n);
  return false;
}

// The type of the computation: parameters such as those of clamp count only for operations that use them.
DType computed_type(UnaryOp op, DType dtype, Scalar p, Scalar q) {
  bool numbers = op == UnaryOp::clamp || op == UnaryOp::subtract_from;
  DType computed = numbers ? q.promoted(p.promoted(dtype)) : dtype;
  return gives_floating(op) && !is_floating(computed) ? DType::f32 : computed;
}

void launch_strided(UnaryOp op, const Tensor& out, const Tensor& a, Scalar p, Scalar q, const Layout<2>& layout) {
  unsigned n = static_cast<unsigned>(layout.numel);
  DeviceIndex<2> index(layout);
  const DType computed = computed_type(op, a.dtype(), p, q);
  if (computed == DType::f64) {
    strided<double><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        op, out.data(), out.dtype(), a.data(), a.dtype(), p.value(), q.value(), index, n);
  } else if (is_floating(computed)) {
    strided<float><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(op, out.data(), out.dtype(), a.data(),
                                                                              a.dtype(), static_cast<float>(p.value()),
                                                                              static_cast<float>(q.value()), index, n);
  } else {
    strided<std::int64_t><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        op, out.data(), out.dtype(), a.data(), a.dtype(), p.whole(), q.whole(), index, n);
  }
}

void launch_dense(UnaryOp op, const Tensor& out, const Tensor& a, Scalar p, Scalar q, unsigned n) {
  launch_dependent(name_of(op), kernel_of(op), {blocks_for(n), threads_for(n)}, out.data(),
                   static_cast<const float*>(a.data()), static_cast<float>(p.value()), static_cast<float>(q.value()),
                   n);
}

bool fast_types(UnaryOp op, const Tensor& out, const Tensor& a) {
  return a.dtype() == DType::f32 && out.dtype() == (gives_bool(op) ? DType::boolean : DType::f32);
}

void run(UnaryOp op, const Tensor& out, const Tensor& strided, Scalar p, Scalar q) {
  const Tensor a = out.is_contiguous() ? in_order(strided, strided.numel()) : strided;
  Layout<2> layout = layout_of(out.sizes(), out, a);
  unsigned n = static_cast<unsigned>(layout.numel);
  if (layout.dense() && fast_types(op, out, a)) {
    launch_dense(op, out, a, p, q, n);
  } else if (!(layout.dense() && run_half(op, out, a, n))) {
    launch_strided(op, out, a, p, q, layout);
  }
  check_launch(name_of(op));
}

}  // namespace

void unary_out(UnaryOp op, const Tensor& out, const Tensor& a, Scalar p, Scalar q) {
  if (fast_types(op, out, a)) {
    if (unsigned n = dense_run(out, a)) return launch_dense(op, out, a, p, q, n);
  }
  check_output(out, a.sizes(), name_of(op));
  in_pieces([&](const Tensor& to, const Tensor& x) { run(op, to, x, p, q); }, out, a);
}

Tensor unary(UnaryOp op, const Tensor& a, Scalar p, Scalar q) {
  Tensor out = empty(a.sizes(), gives_bool(op) ? DType::boolean : computed_type(op, a.dtype(), p, q));
  unsigned n = fast_types(op, out, a) ? dense_run(a) : 0;
  if (n != 0) {
    launch_dense(op, out, a, p, q, n);
  } else {
    in_pieces([&](const Tensor& to, const Tensor& x) { run(op, to, x, p, q); }, out, a);
  }
  return out;
}

}  // namespace reprise::kernels
