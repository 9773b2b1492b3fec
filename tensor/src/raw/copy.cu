#include "raw/copy.h"

#include "raw/device_index.h"
#include "raw/element.h"
#include "raw/empty.h"
#include "raw/launch.h"
#include "raw/pieces.h"
#include "raw/views.h"

namespace reprise::raw {
namespace {

template <class C>
__global__ void copy_elements(void* to, DType to_type, const void* from, DType from_type, DeviceIndex<2> index, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[2];
  index.places(i, at);
  store<C>(to, to_type, at[0], load<C>(from, from_type, at[1]));
}

// Elements of `T` whose bits matter alone.
template <class T>
__global__ void copy_bits(T* to, const T* from, DeviceIndex<2> index, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[2];
  index.places(i, at);
  to[at[0]] = from[at[1]];
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
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}

template <class T>
void launch_copy_bits(const Tensor& to, const Tensor& from, const Layout<2>& layout) {
  unsigned n = static_cast<unsigned>(layout.numel);
  copy_bits<T><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(static_cast<T*>(to.data()), static_cast<const T*>(from.data()),
                                                                         DeviceIndex<2>(layout), n);
}

void copy_same_type(const Tensor& to, const Tensor& from, const Layout<2>& layout) {
  if (layout.dense()) {
    check_cuda(cudaMemcpyAsync(to.data(), from.data(), layout.numel * size_of(to.dtype()), cudaMemcpyDeviceToDevice, current_stream()),
               "copying a tensor");
    return;
  }
  switch (size_of(to.dtype())) {
    case 1: return launch_copy_bits<std::uint8_t>(to, from, layout);
    case 2: return launch_copy_bits<std::uint16_t>(to, from, layout);
    case 4: return launch_copy_bits<std::uint32_t>(to, from, layout);
    default: return launch_copy_bits<std::uint64_t>(to, from, layout);
  }
}

void copy_piece(const Tensor& to, const Tensor& from) {
  Layout<2> layout = layout_of(to.sizes(), to, from);
  if (to.dtype() == from.dtype()) {
    copy_same_type(to, from, layout);
  } else {
    unsigned n = static_cast<unsigned>(layout.numel);
    bool whole = !is_floating(to.dtype()) && !is_floating(from.dtype());
    auto kernel = whole ? copy_elements<std::int64_t> : copy_elements<float>;
    kernel<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(to.data(), to.dtype(), from.data(), from.dtype(), DeviceIndex<2>(layout), n);
  }
  check_launch("copy_");
}

template <class T>
void fill_piece(const Tensor& x, T value) {
  Layout<1> layout = layout_of(x.sizes(), x);
  unsigned n = static_cast<unsigned>(layout.numel);
  T* to = static_cast<T*>(x.data());
  if (layout.dense()) {
    fill_dense<T><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(to, n, value);
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
  if (broadcast(to.sizes(), from.sizes(), "copy_") != to.sizes()) fail("copy_: ", from.sizes(), " does not broadcast to ", to.sizes());
  from.body().memory->check_readable();
  in_pieces(copy_piece, to, from);
}

Tensor clone(const Tensor& x) {
  Tensor copy = empty(x.sizes(), x.dtype());
  copy_(copy, x);
  return copy;
}

Tensor contiguous(const Tensor& x) { return x.is_contiguous() ? x : clone(x); }

Tensor to(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  Tensor converted = empty(x.sizes(), dtype);
  copy_(converted, x);
  return converted;
}

void fill_(const Tensor& x, double value) {
  in_pieces(
      [value](const Tensor& piece) {
        switch (piece.dtype()) {
          case DType::f32: return fill_piece(piece, static_cast<float>(value));
          case DType::f16: return fill_piece(piece, bits_of(__float2half_rn(static_cast<float>(value))));
          case DType::bf16: return fill_piece(piece, bits_of(__float2bfloat16_rn(static_cast<float>(value))));
          case DType::i64: return fill_piece(piece, static_cast<std::int64_t>(value));
          case DType::boolean: return fill_piece(piece, static_cast<std::uint8_t>(value != 0));
        }
      },
      x);
}

void zero_(const Tensor& x) {
  if (!x.is_contiguous()) return fill_(x, 0);
  if (x.numel() == 0) return;
  check_cuda(cudaMemsetAsync(x.data(), 0, x.numel() * size_of(x.dtype()), current_stream()), "zero_");
}

}  // namespace reprise::raw
