#include "kernels/device/dependent_launch.h"
#include "kernels/device/device_index.h"
#include "kernels/elementwise/masked.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/pieces.h"

namespace reprise::kernels {
namespace {

// The zero of every type consists of zero bits, so T is any type of the element's size.
template <class T>
__global__ void dense(T* to, const T* x, const bool* mask, bool selected, unsigned n) {
  wait_for_prior_grids();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = mask[i] == selected ? x[i] : T(0);
}

template <class T>
__global__ void strided(T* to, const T* x, const bool* mask, bool selected, DeviceIndex<3> index, unsigned n) {
  wait_for_prior_grids();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int at[3];
  index.places(i, at);
  to[at[0]] = mask[at[2]] == selected ? x[at[1]] : T(0);
}

template <class T>
void run(const Tensor& to, const Tensor& x, const Tensor& mask, bool selected) {
  const Layout<3> layout = layout_of(to.sizes(), to, x, mask);
  const unsigned n = static_cast<unsigned>(layout.numel);
  T* out = static_cast<T*>(to.data());
  const T* from = static_cast<const T*>(x.data());
  if (layout.dense()) {
    launch_dependent("a masked gradient", dense<T>, {blocks_for(n), threads_for(n)}, out, from, mask.data<bool>(),
                     selected, n);
  } else {
    launch_dependent("a masked gradient", strided<T>, {blocks_for(n), threads_per_block}, out, from, mask.data<bool>(),
                     selected, DeviceIndex<3>(layout), n);
  }
}

}  // namespace

Tensor masked(const Tensor& x, const Tensor& mask, bool selected) {
  Tensor out = empty(broadcast(x.sizes(), mask.sizes(), "a masked gradient"), x.dtype());
  in_pieces(
      [selected](const Tensor& to, const Tensor& from, const Tensor& chosen) {
        switch (size_of(from.dtype())) {
          case 1:
            return run<std::uint8_t>(to, from, chosen, selected);
          case 2:
            return run<std::uint16_t>(to, from, chosen, selected);
          case 4:
            return run<std::uint32_t>(to, from, chosen, selected);
          default:
            return run<std::uint64_t>(to, from, chosen, selected);
        }
      },
      out, x, mask);
  return out;
}

}  // namespace reprise::kernels
