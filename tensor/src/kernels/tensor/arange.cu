#include <cmath>

#include "kernels/device/element.h"
#include "kernels/device/launch.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/factories.h"

namespace reprise::kernels {
namespace {

template <class C>
__global__ void count_up(void* out, DType dtype, C start, C step, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) store<C>(out, dtype, static_cast<int>(i), start + static_cast<C>(i) * step);
}

}  // namespace

Tensor arange(double start, double end, double step, DType dtype) {
  check(step != 0 && (end - start) / step >= 0, "arange: steps of ", step, " do not lead from ", start, " to ", end);
  double count = std::ceil((end - start) / step);
  check(count < double(std::int64_t(1) << 31), "arange: ", count, " elements are too many");
  Tensor made = empty({static_cast<std::int64_t>(count)}, dtype);
  unsigned n = static_cast<unsigned>(count);
  if (n == 0) return made;
  if (is_floating(dtype)) {
    count_up<float><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        made.data(), dtype, static_cast<float>(start), static_cast<float>(step), n);
  } else {
    count_up<std::int64_t><<<blocks_for(n), threads_per_block, 0, current_stream()>>>(
        made.data(), dtype, static_cast<std::int64_t>(start), static_cast<std::int64_t>(step), n);
  }
  check_launch("arange");
  return made;
}

}  // namespace reprise::kernels
