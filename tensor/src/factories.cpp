#include "raw/factories.h"

#include <reprise/factories.h>

#include "raw/copy.h"
#include "raw/empty.h"
#include "raw/random.h"

namespace reprise {

Tensor empty(const Sizes& sizes, DType dtype) { return raw::empty(sizes, dtype); }
Tensor zeros(const Sizes& sizes, DType dtype) { return raw::zeros(sizes, dtype); }
Tensor ones(const Sizes& sizes, DType dtype) { return raw::ones(sizes, dtype); }
Tensor full(const Sizes& sizes, double value, DType dtype) { return raw::full(sizes, value, dtype); }

Tensor empty_like(const Tensor& x) { return raw::empty_like(x); }
Tensor zeros_like(const Tensor& x) { return raw::zeros(x.sizes(), x.dtype()); }
Tensor ones_like(const Tensor& x) { return raw::ones(x.sizes(), x.dtype()); }
Tensor full_like(const Tensor& x, double value) { return raw::full(x.sizes(), value, x.dtype()); }

Tensor arange(double end, DType dtype) { return raw::arange(0, end, 1, dtype); }
Tensor arange(double start, double end, double step, DType dtype) { return raw::arange(start, end, step, dtype); }

Tensor rand(const Sizes& sizes, DType dtype, const Generator& generator) { return raw::rand(sizes, dtype, generator); }
Tensor randn(const Sizes& sizes, DType dtype, const Generator& generator) {
  return raw::randn(sizes, dtype, generator);
}
Tensor randint(std::int64_t low, std::int64_t high, const Sizes& sizes, const Generator& generator) {
  return raw::randint(low, high, sizes, generator);
}

}  // namespace reprise
