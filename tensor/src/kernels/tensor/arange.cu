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

// The number of elements. Integers are counted exactly.
std::int64_t count_of(Scalar start, Scalar end, Scalar step, DType dtype) {
  const bool floating = is_floating(dtype);
  const bool moves = floating ? step.value() != 0 : step.whole() != 0;
  const bool up = floating ? step.value() > 0 : step.whole() > 0;
  const bool leads = floating ? (up ? end.value() >= start.value() : end.value() <= start.value())
                              : (up ? end.whole() >= start.whole() : end.whole() <= start.whole());
  check(moves && leads, "arange: steps of ", step.value(), " do not lead from ", start.value(), " to ", end.value());
  constexpr std::int64_t most = std::int64_t(1) << 31;
  std::int64_t count;
  if (floating) {
    const double counted = std::ceil((end.value() - start.value()) / step.value());
    check(counted < static_cast<double>(most), "arange: ", counted, " elements are too many");
    count = static_cast<std::int64_t>(counted);
  } else {
    const auto distance = up ? static_cast<std::uint64_t>(end.whole()) - static_cast<std::uint64_t>(start.whole())
                             : static_cast<std::uint64_t>(start.whole()) - static_cast<std::uint64_t>(end.whole());
    const auto size = up ? static_cast<std::uint64_t>(step.whole()) : 0 - static_cast<std::uint64_t>(step.whole());
    const std::uint64_t counted = distance / size + (distance % size != 0);
    check(counted < static_cast<std::uint64_t>(most), "arange: ", counted, " elements are too many");
    count = static_cast<std::int64_t>(counted);
  }
  return count;
}

}  // namespace

Tensor arange(Scalar start, Scalar end, Scalar step, DType dtype) {
  const std::int64_t n = count_of(start, end, step, dtype);
  Tensor made = empty({n}, dtype);
  if (n == 0) return made;
  auto launch = [&](auto kernel, auto first, auto by) {
    kernel<<<blocks_for(n), threads_per_block, 0, current_stream()>>>(made.data(), dtype, first, by,
                                                                      static_cast<unsigned>(n));
  };
  if (is_floating(dtype)) {
    launch(count_up<double>, start.value(), step.value());
  } else {
    launch(count_up<std::int64_t>, start.whole(), step.whole());
  }
  check_launch("arange");
  return made;
}

}  // namespace reprise::kernels
