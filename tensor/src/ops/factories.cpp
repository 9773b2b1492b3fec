#include "kernels/tensor/factories.h"

#include <reprise/factories.h>

#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"

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
