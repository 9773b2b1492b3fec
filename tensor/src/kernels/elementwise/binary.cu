#include <array>

#include "kernels/device/column_grid.h"
#include "kernels/device/dense_run.h"
#include "kernels/device/dependent_launch.h"
#include "kernels/device/device_index.h"
#include "kernels/device/element.h"
#include "kernels/elementwise/binary_half.h"
#include "kernels/elementwise/binary_integer.h"
#include "kernels/elementwise/operations.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/output.h"
#include "kernels/tensor/pieces.h"

namespace reprise::kernels {
namespace {

constexpr int operations = static_cast<int>(BinaryOp::count);

// Subtraction is addition with the factor -1.
const char* name_of(BinaryOp op, double p) {
  if (op == BinaryOp::add && p == -1) return "sub";
  constexpr const char* names[] = {"add",
                                   "mul",
                                   "div",
                                   "pow",
                                   "minimum",
                                   "maximum",
                                   "remainder",
                                   "fmod",
                                   "floor_divide",
                                   "eq",
                                   "ne",
                                   "lt",
                                   "le",
                                   "gt",
                                   "ge",
                                   "same",
                                   "logical_and",
                                   "logical_or",
                                   "logical_xor",
                                   "relu_backward",
                                   "tanh_backward",
                                   "sigmoid_backward",
                                   "gelu_backward",
                                   "clamp_backward",
                                   "clamp_backward"};
  static_assert(sizeof names / sizeof names[0] == operations, "");
  return names[static_cast<int>(op)];
}

// The fast kernels for f32 operands; the result is f32 or bool, depending on the operation.
template <BinaryOp op>
using Result = std::conditional_t<gives_bool(op), bool, float>;

template <BinaryOp op>
__global__ void dense(void* out, const float* a, const float* b, float p, unsigned n) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) static_cast<Result<op>*>(out)[i] = static_cast<Result<op>>(apply<op>(a[i], b[i], p));
}

template <BinaryOp op>
__global__ void dense_with_number(void* out, const float* a, float b, float p, unsigned n) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) static_cast<Result<op>*>(out)[i] = static_cast<Result<op>>(apply<op>(a[i], b, p));
}

// Rows of `out` and `a` are contiguous; those of `b` are contiguous or (alike) a single element.
template <BinaryOp op, bool alike>
__global__ void rows(void* out, const float* a, const float* b, float p, DeviceIndex<3> index, unsigned count,
                     unsigned n) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned row = blockIdx.y; row < count; row += gridDim.y) {
    int at[3];
    index.places(row, at);
    Result<op>* to = static_cast<Result<op>*>(out) + at[0];
    if (i < n) to[i] = static_cast<Result<op>>(apply<op>(a[at[1] + i], b[alike ? at[2] : at[2] + i], p));
  }
}

// Any strides and types.
struct Operand {
  const void* data;
  DType dtype;
};

template <class C>
__global__ void strided(BinaryOp op, void* out, DType out_type, Operand a, Operand b, C number, C p,
                        DeviceIndex<3> index, unsigned n) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[3];
  index.places(i, at);
  C left = load<C>(a.data, a.dtype, at[1]);
  C right = b.data ? load<C>(b.data, b.dtype, at[2]) : number;
  store<C>(out, out_type, at[0], apply_any(op, left, right, p));
}

using Dense = void (*)(void*, const float*, const float*, float, unsigned);
using DenseWithNumber = void (*)(void*, const float*, float, float, unsigned);
using Rows = void (*)(void*, const float*, const float*, float, DeviceIndex<3>, unsigned, unsigned);

struct Kernels {
  Dense dense;
  DenseWithNumber dense_with_number;
  Rows rows, rows_alike;
};

template <int... i>
std::array<Kernels, operations> make_kernels(std::integer_sequence<int, i...>) {
  return {{{dense<BinaryOp(i)>, dense_with_number<BinaryOp(i)>, rows<BinaryOp(i), false>, rows<BinaryOp(i), true>}...}};
}

const Kernels& kernels_of(BinaryOp op) {
  static const std::array<Kernels, operations> kernels = make_kernels(std::make_integer_sequence<int, operations>());
  return kernels[static_cast<int>(op)];
}

DType result_type(BinaryOp op, DType promoted) {
  if (gives_bool(op)) return DType::boolean;
  if (gives_floating(op) && !is_floating(promoted)) return DType::f32;
  return promoted;
}

// Whether the f32 kernels apply.
bool fast_types(BinaryOp op, const Tensor& out, const Tensor& a) {
  return a.dtype() == DType::f32 && out.dtype() == (gives_bool(op) ? DType::boolean : DType::f32);
}

bool rows_are_dense(const Layout<3>& layout) {
  constexpr std::int64_t worth = 8;
  return layout.dims > 0 && layout.sizes[0] >= worth && layout.strides[0][0] == 1 && layout.strides[1][0] == 1 &&
         (layout.strides[2][0] == 0 || layout.strides[2][0] == 1);
}

void launch_rows(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, float p, const Layout<3>& layout) {
  Rows kernel = layout.strides[2][0] == 0 ? kernels_of(op).rows_alike : kernels_of(op).rows;
  const Layout<3> rows = layout.outer();
  const ColumnGrid grid(rows.numel, layout.sizes[0]);
  launch_dependent(name_of(op, p), kernel, {grid.blocks, grid.threads}, out.data(), static_cast<const float*>(a.data()),
                   static_cast<const float*>(b.data()), p, DeviceIndex<3>(rows), grid.rows, grid.columns);
}

void launch_strided(BinaryOp op, const Tensor& out, const Tensor& a, Operand b, DType computed, Scalar number, double p,
                    const Layout<3>& layout) {
  unsigned n = static_cast<unsigned>(layout.numel);
  DeviceIndex<3> index(layout);
  Operand left{a.data(), a.dtype()};
  if (computed == DType::f64) {
    launch_dependent(name_of(op, p), strided<double>, {blocks_for(n), threads_per_block}, op, out.data(), out.dtype(),
                     left, b, number.value(), p, index, n);
  } else if (is_floating(computed) || gives_floating(op)) {
    launch_dependent(name_of(op, p), strided<float>, {blocks_for(n), threads_per_block}, op, out.data(), out.dtype(),
                     left, b, static_cast<float>(number.value()), static_cast<float>(p), index, n);
  } else {
    launch_dependent(name_of(op, p), strided<std::int64_t>, {blocks_for(n), threads_per_block}, op, out.data(),
                     out.dtype(), left, b, number.whole(), static_cast<std::int64_t>(p), index, n);
  }
}

bool commutes(BinaryOp op, double p) {
  switch (op) {
    case BinaryOp::add:
      return p == 1;
    case BinaryOp::mul:
    case BinaryOp::eq:
    case BinaryOp::ne:
    case BinaryOp::same:
    case BinaryOp::logical_and:
    case BinaryOp::logical_or:
    case BinaryOp::logical_xor:
      return true;
    default:
      return false;
  }
}

void launch_dense(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, double p, unsigned n) {
  launch_dependent(name_of(op, p), kernels_of(op).dense, {blocks_for(n), threads_for(n)}, out.data(),
                   static_cast<const float*>(a.data()), static_cast<const float*>(b.data()), static_cast<float>(p), n);
}

void launch_dense(BinaryOp op, const Tensor& out, const Tensor& a, Scalar b, double p, unsigned n) {
  launch_dependent(name_of(op, p), kernels_of(op).dense_with_number, {blocks_for(n), threads_for(n)}, out.data(),
                   static_cast<const float*>(a.data()), static_cast<float>(b.value()), static_cast<float>(p), n);
}

void run_f32(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, double p, const Layout<3>& layout) {
  if (layout.dense()) {
    launch_dense(op, out, a, b, p, static_cast<unsigned>(layout.numel));
  } else if (rows_are_dense(layout)) {
    launch_rows(op, out, a, b, static_cast<float>(p), layout);
  } else {
    launch_strided(op, out, a, {b.data(), b.dtype()}, DType::f32, 0, p, layout);
  }
}

void run(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, double p) {
  Layout<3> layout = layout_of(out.sizes(), out, a, b);
  if (fast_types(op, out, a) && b.dtype() == DType::f32) {
    if (layout.dense() || rows_are_dense(layout)) {
      run_f32(op, out, a, b, p, layout);
    } else {
      bool swap = a.numel() < b.numel() && commutes(op, p);
      Tensor left = in_order(swap ? b : a, layout.numel), right = in_order(swap ? a : b, layout.numel);
      run_f32(op, out, left, right, p, layout_of(out.sizes(), out, left, right));
    }
  } else if (!layout.dense() ||
             !(run_half(op, out, a, &b, 0, static_cast<float>(p), static_cast<unsigned>(layout.numel)) ||
               run_integer(op, out, a, &b, 0, static_cast<std::int64_t>(p), static_cast<unsigned>(layout.numel)))) {
    launch_strided(op, out, a, {b.data(), b.dtype()}, promote(a.dtype(), b.dtype()), 0, p, layout);
  }
  check_launch(name_of(op, p));
}

void run(BinaryOp op, const Tensor& out, const Tensor& strided, Scalar b, double p) {
  const Tensor a = out.is_contiguous() ? in_order(strided, strided.numel()) : strided;
  // `a` stands in for the number in the layout, where it has no effect.
  Layout<3> layout = layout_of(out.sizes(), out, a, a);
  unsigned n = static_cast<unsigned>(layout.numel);
  float number = static_cast<float>(b.value());
  if (fast_types(op, out, a) && layout.dense()) {
    launch_dense(op, out, a, b, p, n);
  } else if (!layout.dense() || !(run_half(op, out, a, nullptr, number, static_cast<float>(p), n) ||
                                  (!is_floating(b.promoted(a.dtype())) &&
                                   run_integer(op, out, a, nullptr, b.whole(), static_cast<std::int64_t>(p), n)))) {
    launch_strided(op, out, a, {nullptr, DType::f32}, b.promoted(a.dtype()), b, p, layout);
  }
  check_launch(name_of(op, p));
}

}  // namespace

DType promoted_type(const Tensor& a, const Tensor& b) {
  if ((a.dim() == 0) == (b.dim() == 0)) return promote(a.dtype(), b.dtype());
  const DType high = a.dim() > 0 ? a.dtype() : b.dtype(), low = a.dim() > 0 ? b.dtype() : a.dtype();
  if (is_floating(high)) return high;
  return high == DType::boolean || is_floating(low) ? promote(high, low) : high;
}

void binary_out(BinaryOp op, const Tensor& out, const Tensor& a, const Tensor& b, double p) {
  if (fast_types(op, out, a) && b.dtype() == DType::f32) {
    if (unsigned n = dense_run(out, a, b)) return launch_dense(op, out, a, b, p, n);
  }
  check_output(out, broadcast(a.sizes(), b.sizes(), name_of(op, p)), name_of(op, p));
  in_pieces([&](const Tensor& to, const Tensor& x, const Tensor& y) { run(op, to, x, y, p); }, out, a, b);
}

void binary_out(BinaryOp op, const Tensor& out, const Tensor& a, Scalar b, double p) {
  if (fast_types(op, out, a)) {
    if (unsigned n = dense_run(out, a)) return launch_dense(op, out, a, b, p, n);
  }
  check_output(out, a.sizes(), name_of(op, p));
  in_pieces([&](const Tensor& to, const Tensor& x) { run(op, to, x, b, p); }, out, a);
}

Tensor binary(BinaryOp op, const Tensor& a, const Tensor& b, double p) {
  const DType dtype = result_type(op, promoted_type(a, b));
  if (a.dtype() == DType::f32 && b.dtype() == DType::f32) {
    if (unsigned n = dense_run(a, b)) {
      Tensor out = empty(a.sizes(), dtype);
      launch_dense(op, out, a, b, p, n);
      return out;
    }
  }
  Tensor out = empty(a.sizes() == b.sizes() ? a.sizes() : broadcast(a.sizes(), b.sizes(), name_of(op, p)), dtype);
  in_pieces([&](const Tensor& to, const Tensor& x, const Tensor& y) { run(op, to, x, y, p); }, out, a, b);
  return out;
}

Tensor binary(BinaryOp op, const Tensor& a, Scalar b, double p) {
  Tensor out = empty(a.sizes(), result_type(op, b.promoted(a.dtype())));
  unsigned n = a.dtype() == DType::f32 ? dense_run(a) : 0;
  if (n != 0) {
    launch_dense(op, out, a, b, p, n);
  } else {
    in_pieces([&](const Tensor& to, const Tensor& x) { run(op, to, x, b, p); }, out, a);
  }
  return out;
}

}  // namespace reprise::kernels
