#include "kernels/device/column_grid.h"
#include "kernels/device/dependent_launch.h"
#include "kernels/device/device_index.h"
#include "kernels/device/element.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/output.h"
#include "kernels/tensor/pieces.h"
#include "kernels/tensor/views.h"

namespace reprise::kernels {
namespace {

template <class C>
__global__ void copy_elements(void* to, DType to_type, const void* from, DType from_type, DeviceIndex<2> index,
                              unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[2];
  index.places(i, at);
  store<C>(to, to_type, at[0], load<C>(from, from_type, at[1]));
}

template <class To, class From>
__global__ void convert_dense(To* to, const From* from, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) put(to[i], get(from[i]));
}

template <class To, class From>
void launch_convert(const Tensor& to, const Tensor& from, unsigned n) {
  convert_dense<To, From>
      <<<blocks_for(n), threads_per_block, 0, current_stream()>>>(to.data<To>(), from.data<From>(), n);
}

// Returns false if there is no fast kernel for the copy.
bool convert(const Tensor& to, const Tensor& from, const Layout<2>& layout) {
  if (!layout.dense()) return false;
  unsigned n = static_cast<unsigned>(layout.numel);
  DType to_type = to.dtype(), from_type = from.dtype();
  if (to_type == DType::f16 && from_type == DType::f32) return launch_convert<__half, float>(to, from, n), true;
  if (to_type == DType::f32 && from_type == DType::f16) return launch_convert<float, __half>(to, from, n), true;
  if (to_type == DType::bf16 && from_type == DType::f32) return launch_convert<__nv_bfloat16, float>(to, from, n), true;
  if (to_type == DType::f32 && from_type == DType::bf16) return launch_convert<float, __nv_bfloat16>(to, from, n), true;
  if (to_type == DType::f32 && from_type == DType::boolean) return launch_convert<float, bool>(to, from, n), true;
  if (to_type == DType::f32 && from_type == DType::i64) return launch_convert<float, std::int64_t>(to, from, n), true;
  return false;
}

// Copies without conversion, of elements with the size of `T`.
template <class T>
__global__ void copy_bits(T* to, const T* from, DeviceIndex<2> index, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[2];
  index.places(i, at);
  to[at[0]] = from[at[1]];
}

// The same if rows are contiguous in both tensors.
template <class T>
__global__ void copy_rows(T* to, const T* from, DeviceIndex<2> index, unsigned count, unsigned n) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned row = blockIdx.y; row < count; row += gridDim.y) {
    int at[2];
    index.places(row, at);
    if (i < n) to[at[0] + i] = from[at[1] + i];
  }
}

// Transposes tiles of a matrix through shared memory, so that reads and writes are both coalesced.
constexpr int tile = 32, tile_rows = 8;

template <class T>
__global__ void copy_transposed(T* to, const T* from, unsigned rows, unsigned columns, unsigned to_stride,
                                unsigned from_stride, DeviceIndex<2> outer) {
  wait_for_prior_grids();
  __shared__ T square[tile][tile + 1];
  int at[2];
  outer.places(blockIdx.z, at);
  unsigned row = blockIdx.y * tile, column = blockIdx.x * tile;
  for (unsigned i = threadIdx.y; i < tile; i += tile_rows) {
    if (column + i < columns && row + threadIdx.x < rows)
      square[i][threadIdx.x] = from[at[1] + (column + i) * from_stride + row + threadIdx.x];
  }
  __syncthreads();
  for (unsigned i = threadIdx.y; i < tile; i += tile_rows) {
    if (row + i < rows && column + threadIdx.x < columns)
      to[at[0] + (row + i) * to_stride + column + threadIdx.x] = square[threadIdx.x][i];
  }
}

template <class T>
__global__ void fill_elements(T* to, DeviceIndex<1> index, unsigned n, T value) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[1];
  index.places(i, at);
  to[at[0]] = value;
}

template <class T>
__global__ void fill_dense(T* to, unsigned n, T value) {
  wait_for_prior_grids();
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}

template <class T>
void launch_copy_bits(const Tensor& to, const Tensor& from, const Layout<2>& layout) {
  constexpr std::int64_t worth_a_row = 8;
  if (layout.dims > 1 && layout.sizes[0] >= worth_a_row && layout.strides[0][0] == 1 && layout.strides[1][0] == 1) {
    const Layout<2> rows = layout.outer();
    const ColumnGrid grid(rows.numel, layout.sizes[0]);
    launch_dependent("copy_", copy_rows<T>, {grid.blocks, grid.threads}, static_cast<T*>(to.data()),
                     static_cast<const T*>(from.data()), DeviceIndex<2>(rows), grid.rows, grid.columns);
    return;
  }
  unsigned n = static_cast<unsigned>(layout.numel);
  copy_bits<T><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
      static_cast<T*>(to.data()), static_cast<const T*>(from.data()), DeviceIndex<2>(layout), n);
}

// The dimension along which `from` is contiguous, if `to` is contiguous along the innermost one and both are long
// enough for the tiled kernel; otherwise 0.
int transposed_dimension(const Layout<2>& layout) {
  if (layout.dims < 2 || layout.strides[0][0] != 1 || layout.sizes[0] < tile / 2) return 0;
  for (int i = 1; i < layout.dims; ++i) {
    if (layout.strides[1][i] != 1 || layout.sizes[i] < tile / 2) continue;
    bool fits = layout.numel / layout.sizes[0] / layout.sizes[i] < 65536 && layout.sizes[i] / tile < 65535;
    return fits ? i : 0;
  }
  return 0;
}

template <class T>
void launch_copy_transposed(const Tensor& to, const Tensor& from, Layout<2> layout, int dim) {
  layout.swap_dimensions(1, dim);
  unsigned columns = static_cast<unsigned>(layout.sizes[0]), rows = static_cast<unsigned>(layout.sizes[1]);
  unsigned to_stride = static_cast<unsigned>(layout.strides[0][1]),
           from_stride = static_cast<unsigned>(layout.strides[1][0]);
  for (int i = 2; i < layout.dims; ++i) layout.swap_dimensions(i - 2, i);
  layout.dims -= 2;
  dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile,
            static_cast<unsigned>(layout.numel / columns / rows));
  launch_dependent("copy_", copy_transposed<T>, {grid, dim3(tile, tile_rows)}, static_cast<T*>(to.data()),
                   static_cast<const T*>(from.data()), rows, columns, to_stride, from_stride, DeviceIndex<2>(layout));
}

void copy_same_type(const Tensor& to, const Tensor& from, const Layout<2>& layout) {
  if (layout.dense()) {
    check_cuda(cudaMemcpyAsync(to.data(), from.data(), layout.numel * size_of(to.dtype()), cudaMemcpyDefault,
                               current_stream()),
               "copying a tensor");
    return;
  }
  int dim = transposed_dimension(layout);
  if (dim > 0 && size_of(to.dtype()) == 4) return launch_copy_transposed<std::uint32_t>(to, from, layout, dim);
  if (dim > 0 && size_of(to.dtype()) == 2) return launch_copy_transposed<std::uint16_t>(to, from, layout, dim);
  switch (size_of(to.dtype())) {
    case 1:
      return launch_copy_bits<std::uint8_t>(to, from, layout);
    case 2:
      return launch_copy_bits<std::uint16_t>(to, from, layout);
    case 4:
      return launch_copy_bits<std::uint32_t>(to, from, layout);
    default:
      return launch_copy_bits<std::uint64_t>(to, from, layout);
  }
}

void copy_piece(const Tensor& to, const Tensor& from) {
  Layout<2> layout = layout_of(to.sizes(), to, from);
  if (to.dtype() == from.dtype()) {
    copy_same_type(to, from, layout);
  } else if (!convert(to, from, layout)) {
    unsigned n = static_cast<unsigned>(layout.numel);
    const bool whole = !is_floating(to.dtype()) && !is_floating(from.dtype()),
               twice = to.dtype() == DType::f64 || from.dtype() == DType::f64;
    auto kernel = whole ? copy_elements<std::int64_t> : twice ? copy_elements<double> : copy_elements<float>;
    kernel<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(to.data(), to.dtype(), from.data(), from.dtype(),
                                                                      DeviceIndex<2>(layout), n);
  }
  check_launch("copy_");
}

template <class T>
void fill_piece(const Tensor& x, T value) {
  Layout<1> layout = layout_of(x.sizes(), x);
  unsigned n = static_cast<unsigned>(layout.numel);
  T* to = static_cast<T*>(x.data());
  if (layout.dense()) {
    launch_dependent("fill_", fill_dense<T>, {blocks_for(n), threads_per_block}, to, n, value);
  } else {
    fill_elements<T><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(to, DeviceIndex<1>(layout), n, value);
  }
  check_launch("fill_");
}

template <class Half>
std::uint16_t bits_of(Half value) {
  static_assert(sizeof value == sizeof(std::uint16_t), "");
  std::uint16_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

void copy_(const Tensor& to, const Tensor& from) {
  if (broadcast(to.sizes(), from.sizes(), "copy_") != to.sizes())
    fail("copy_: ", from.sizes(), " does not broadcast to ", to.sizes());
  check_output(to, to.sizes(), "copy_");
  from.body().memory->check_readable();
  Overwriting here;
  in_pieces(copy_piece, to, from);
}

Tensor clone(const Tensor& x) {
  Tensor copy = empty(x.sizes(), x.dtype());
  copy_(copy, x);
  return copy;
}

Tensor in_order(const Tensor& x, std::int64_t results) {
#ifdef REPRISE_GPU
  constexpr std::int64_t worth_a_copy = 1 << 16;  // elements above which a copy pays off, including its launch
#else
  constexpr std::int64_t worth_a_copy = 1024;
#endif
  return results >= worth_a_copy && x.numel() == results ? contiguous(x) : x;
}

Tensor contiguous(const Tensor& x) { return x.is_contiguous() ? x : clone(x); }

Tensor to(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Tensor converted = empty(x.sizes(), dtype);
  copy_(converted, x);
  return converted;
}

void fill_(const Tensor& x, Scalar number) {
  Overwriting here;
  const double value = number.value();
  in_pieces(
      [&](const Tensor& piece) {
        switch (piece.dtype()) {
          case DType::f64:
            return fill_piece(piece, value);
          case DType::i32:
            return fill_piece(piece, static_cast<std::int32_t>(number.whole()));
          case DType::i16:
            return fill_piece(piece, static_cast<std::uint16_t>(number.whole()));
          case DType::i8:
          case DType::u8:
            return fill_piece(piece, static_cast<std::uint8_t>(number.whole()));
          case DType::f32:
            return fill_piece(piece, static_cast<float>(value));
          case DType::f16:
            return fill_piece(piece, bits_of(__float2half_rn(static_cast<float>(value))));
          case DType::bf16:
            return fill_piece(piece, bits_of(__float2bfloat16_rn(static_cast<float>(value))));
          case DType::i64:
            return fill_piece(piece, number.whole());
          case DType::boolean:
            return fill_piece(piece, static_cast<std::uint8_t>(value != 0));
        }
      },
      x);
}

void zero_(const Tensor& x) {
  if (!x.is_contiguous()) return fill_(x, 0);
  if (x.numel() == 0) return;
  Overwriting here;
  check_cuda(cudaMemsetAsync(x.data(), 0, x.numel() * size_of(x.dtype()), current_stream()), "zero_");
}

}  // namespace reprise::kernels
