#include "kernels/device/column_grid.h"
#include "kernels/device/dependent_launch.h"
#include "kernels/device/element.h"
#include "kernels/matrix/activation.h"
#include "kernels/matrix/linear.h"
#include "kernels/matrix/matmul.h"
#include "kernels/reduction/column_sums.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/single_precision.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

// Of results in y: `bias`, `before` may be null.
template <class T>
__global__ void finish(T* y, T* before, const T* bias, unsigned columns, unsigned rows, Activation activation) {
  wait_for_prior_grids();
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const float own = bias ? get(bias[column]) : 0;
  for (unsigned row = blockIdx.y; row < rows; row += gridDim.y) {
    const std::size_t at = std::size_t(row) * columns + column;
    const float sum = get(y[at]) + own;
    if (before) put(before[at], sum);
    put(y[at], activated(sum, activation));
  }
}

template <class T>
T* data_or_null(const Tensor& x) {
  return x.defined() ? x.data<T>() : nullptr;
}

template <class T>
void launch_finish(const Tensor& y, const Tensor& before, const Tensor& bias, Activation activation) {
  const ColumnGrid grid(y.size(0), y.size(1));
  launch_dependent("linear", finish<T>, {grid.blocks, grid.threads}, y.data<T>(), data_or_null<T>(before),
                   data_or_null<T>(bias), grid.columns, grid.rows, activation);
}

struct MatrixElements {
  const float* x;
  std::int64_t columns;
  __device__ void add(std::int64_t row, std::int64_t column, float (&sums)[1]) const {
    sums[0] += x[row * columns + column];
  }
};

// Below this size a cuBLAS product leaves most of a GPU idle; above it, cuBLAS is faster.
bool is_small(const TileProduct& p) {
#ifdef REPRISE_GPU
  return 2.0 * p.rows * p.columns * p.terms <= 1e9;
#else
  static_cast<void>(p);
  return false;
#endif
}

// c = activation(a b^T + bias) and before = a b^T + bias, for contiguous matrices of rows by terms or, if `a_turned`,
// terms by rows.
void product(const Tensor& c, const Tensor& a, bool a_turned, const Tensor& b, bool b_turned, const Tensor& bias = {},
             Activation activation = Activation::none, const Tensor& before = {}, const Tensor& row_sums = {}) {
  const int rows = static_cast<int>(c.size(0)), columns = static_cast<int>(c.size(1)),
            terms = static_cast<int>(a.size(a_turned ? 0 : 1));
  const TileProduct p{{a.data<float>(), static_cast<int>(a.size(1)), a_turned},
                      {b.data<float>(), static_cast<int>(b.size(1)), b_turned},
                      c.data<float>(),
                      data_or_null<float>(bias),
                      data_or_null<float>(row_sums),
                      data_or_null<float>(before),
                      rows,
                      columns,
                      terms,
                      activation};
  if (c.numel() > 0 && terms > 0 && is_small(p) && fits_few_rows(p)) return few_rows_product("linear", p);
  if (c.numel() > 0 && terms > 0 && is_small(p) && fits_tiles(p)) return tile_product("linear", p);
  if (c.numel() > 0) {
    matmul_out(c, a_turned ? kernels::transpose(a, 0, 1) : a, b_turned ? b : kernels::transpose(b, 0, 1));
    if (bias.defined() || activation != Activation::none) launch_finish<float>(c, before, bias, activation);
  }
  // A layer with no inputs still adds its bias.
  if (row_sums.defined() && row_sums.numel() > 0)
    column_sums<1>("linear", p.row_sums, MatrixElements{p.a.data, a.size(1)}, a.size(0), a.size(1));
}

// [..., columns] as a contiguous f32 matrix.
Tensor matrix(const Tensor& x) {
  const Tensor dense = single_precision(x, "linear");
  std::int64_t rows = 1;
  for (std::int64_t i = 0; i + 1 < x.dim(); ++i) rows *= x.size(i);
  return kernels::view(dense, {rows, x.sizes().back()});
}

void check_shapes(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  check(weight.dim() == 2 && x.dim() >= 1 && x.sizes().back() == weight.size(1), "linear: ", x.sizes(),
        " does not fit a weight of ", weight.sizes());
  if (bias.defined())
    check(bias.dim() == 1 && bias.size(0) == weight.size(0), "linear: a bias of ", bias.sizes(), " for a weight of ",
          weight.sizes());
}

// cuBLAS uses tensor cores for 16-bit products; bias and activation take one more launch.
Activated in_sixteen_bits(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation,
                          bool keeps) {
  const Tensor y = matmul(x, kernels::transpose(weight, 0, 1));
  // Must not be y itself, since each is recorded with its own node.
  const Tensor before = keeps ? empty(y.sizes(), y.dtype()) : Tensor();
  if (y.numel() == 0 || (!keeps && !bias.defined() && activation == Activation::none)) return {before, y};
  const Tensor own = bias.defined() ? contiguous(to(bias, y.dtype())) : bias;
  const Tensor rows = kernels::view(y, {y.numel() / y.sizes().back(), y.sizes().back()});
  switch (y.dtype()) {
    case DType::f16:
      launch_finish<__half>(rows, before, own, activation);
      break;
    case DType::bf16:
      launch_finish<__nv_bfloat16>(rows, before, own, activation);
      break;
    default:
      launch_finish<float>(rows, before, own, activation);
      break;
  }
  return {before, y};
}

Activated run(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation, bool keeps) {
  check_shapes(x, weight, bias);
  if (x.dtype() != DType::f32) return in_sixteen_bits(x, weight, bias, activation, keeps);
  const Tensor a = matrix(x), w = single_precision(weight, "linear"),
               b = bias.defined() ? single_precision(bias, "linear") : bias;
  Sizes sizes = x.sizes();
  sizes[sizes.size() - 1] = weight.size(0);
  const Tensor y = empty({a.size(0), weight.size(0)}), before = keeps ? empty(y.sizes()) : Tensor();
  product(y, a, false, w, false, b, activation, before);
  return {keeps ? kernels::view(before, sizes) : before, kernels::view(y, sizes)};
}

}  // namespace

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation) {
  return run(x, weight, bias, activation, false).y;
}

Activated linear_and_before(const Tensor& x, const Tensor& weight, const Tensor& bias, Activation activation) {
  return run(x, weight, bias, activation, true);
}

LinearGradients linear_backward(const Tensor& grad, const Tensor& x, const Tensor& weight, const LinearWants& wants) {
  const Tensor g = matrix(grad), w = single_precision(weight, "linear");
  LinearGradients result;
  if (wants.x) {
    const Tensor dx = empty({g.size(0), weight.size(1)});
    product(dx, g, false, w, true);
    result.x = to(kernels::view(dx, x.sizes()), x.dtype());
  }
  if (wants.bias) result.bias = empty({weight.size(0)});
  if (wants.weight) {
    const Tensor dw = empty(weight.sizes());
    product(dw, g, true, matrix(x), true, {}, Activation::none, {}, result.bias);
    result.weight = to(dw, weight.dtype());
  } else if (wants.bias) {
    column_sums<1>("linear", result.bias.data<float>(), MatrixElements{g.data<float>(), g.size(1)}, g.size(0),
                   g.size(1));
  }
  if (wants.bias) result.bias = to(result.bias, weight.dtype());
  return result;
}

}  // namespace reprise::kernels
