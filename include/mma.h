// Warp matrices (nvcuda::wmma). The CPU device has no tensor cores: uses of them in device code are compile-time
// errors.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#ifdef __CUDA__

#define __REPRISE_TENSOR_CORES__ \
  __attribute__((unavailable("tensor cores (wmma, mma) are not supported by the CPU device")))

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct u4;
struct s4;
struct b1;
struct tf32;
}  // namespace precision
enum layout_t { mem_row_major, mem_col_major };

template <class Use, int m, int n, int k, class T, class Layout = void>
class __REPRISE_TENSOR_CORES__ fragment{};

#define __REPRISE_WARP__  \
  template <class... __A> \
  __device__ __REPRISE_TENSOR_CORES__ void
__REPRISE_WARP__ fill_fragment(__A&&...);
__REPRISE_WARP__ load_matrix_sync(__A&&...);
__REPRISE_WARP__ store_matrix_sync(__A&&...);
__REPRISE_WARP__ mma_sync(__A&&...);
__REPRISE_WARP__ bmma_sync(__A&&...);
#undef __REPRISE_WARP__

}  // namespace wmma
}  // namespace nvcuda

#undef __REPRISE_TENSOR_CORES__

#endif  // __CUDA__
