#include "kernels/tensor/factories.h"

#include <reprise/factories.h>

#include "kernels/elementwise/elementwise.h"
#include "kernels/indexing/indexing.h"
#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/views.h"

namespace reprise {

Tensor empty(const Sizes& sizes, DType dtype) { return kernels::empty(sizes, dtype); }
Tensor zeros(const Sizes& sizes, DType dtype) { return kernels::zeros(sizes, dtype); }
Tensor ones(const Sizes& sizes, DType dtype) { return kernels::ones(sizes, dtype); }
Tensor full(const Sizes& sizes, Scalar value, DType dtype) { return kernels::full(sizes, value, dtype); }

Tensor empty_like(const Tensor& x) { return kernels::empty_like(x); }
Tensor zeros_like(const Tensor& x) { return kernels::zeros(x.sizes(), x.dtype()); }
Tensor ones_like(const Tensor& x) { return kernels::ones(x.sizes(), x.dtype()); }
Tensor full_like(const Tensor& x, Scalar value) { return kernels::full(x.sizes(), value, x.dtype()); }

Tensor arange(Scalar end, std::optional<DType> dtype) { return arange(0, end, 1, dtype); }
Tensor arange(Scalar start, Scalar end, Scalar step, std::optional<DType> dtype) {
  const bool fractions = start.is_floating() || end.is_floating() || step.is_floating();
  return kernels::arange(start, end, step, dtype.value_or(fractions ? DType::f32 : DType::i64));
}

Tensor linspace(double start, double end, std::int64_t steps, DType dtype) {
  check(steps >= 0 && is_floating(dtype), "linspace of ", steps, " numbers of ", dtype);
  if (steps == 0) return kernels::empty({0}, dtype);
  if (steps == 1) return kernels::full({1}, start, dtype);
  const double step = (end - start) / static_cast<double>(steps - 1);
  // Half a step more than the end, so that rounding does not lose or add a number.
  return kernels::arange(start, end + step / 2, step, dtype);
}

Tensor eye(std::int64_t rows, std::int64_t columns, DType dtype) {
  return kernels::to(kernels::eq(kernels::unsqueeze(kernels::arange(0, rows), 1), kernels::arange(0, columns)), dtype);
}
Tensor eye(std::int64_t n, DType dtype) { return eye(n, n, dtype); }

Tensor randperm(std::int64_t n, const Generator& generator) {
  check(n >= 0, "randperm of ", n);
  return kernels::sort(kernels::rand({n}, DType::f32, generator), 0, false).indices;
}

Tensor rand(const Sizes& sizes, DType dtype, const Generator& generator) {
  return kernels::rand(sizes, dtype, generator);
}
Tensor randn(const Sizes& sizes, DType dtype, const Generator& generator) {
  return kernels::randn(sizes, dtype, generator);
}
Tensor randint(std::int64_t low, std::int64_t high, const Sizes& sizes, const Generator& generator) {
  return kernels::randint(low, high, sizes, generator);
}

}  // namespace reprise
