// Sums, means, minima and maxima.
#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduction/reduce.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "ops/broadcast.h"
#include "ops/masked.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;

namespace {

// The sizes with reduced dimensions kept as 1.
Sizes kept_sizes(const Sizes& sizes, const Sizes& dims, const char* name) {
  Sizes kept = dims.empty() ? Sizes::filled(sizes.size(), 1) : sizes;
  for (std::int64_t dim : dims) kept[wrap_dimension(dim, sizes, name)] = 1;
  return kept;
}

// Equal extrema share the gradient equally.
Tensor record_extreme(Tensor y, const char* name, const Tensor& x) {
  if (wants_gradient(x)) {
    record(y, name, {x},
           [kept = SavedTensor(x, name), kept_extreme = SavedTensor(y.detach(), name)](const Tensor& gradient, Node&) {
             const Tensor &x = kept, &extreme = kept_extreme;
             const Tensor chosen = kernels::binary(kernels::BinaryOp::same, x, extreme);
             return Tensors{ops::masked(div(gradient, kernels::sum(chosen)), chosen, true)};
           });
  }
  return y;
}

// Returns values and indices, and records the gradient of the values.
ValuesAndIndices extremes(Tensor values, Tensor indices, const char* name, const Tensor& x, std::int64_t dim,
                          bool keepdim) {
  const int wrapped = wrap_dimension(dim, x.sizes(), name);
  if (wants_gradient(x)) {
    const Tensor kept = keepdim ? indices : indices.unsqueeze(wrapped);
    record(values, name, {x}, [kept, wrapped, sizes = x.sizes(), keepdim](const Tensor& gradient, Node&) {
      if (sizes.empty()) return Tensors{gradient};
      const Tensor own = keepdim ? gradient : gradient.unsqueeze(wrapped);
      return Tensors{scatter(kernels::zeros(sizes, gradient.dtype()), wrapped, kept, own)};
    });
  }
  return {std::move(values), std::move(indices)};
}

}  // namespace

Tensor sum(const Tensor& x, const Sizes& dims, bool keepdim) {
  Tensor y = kernels::sum(x, dims, keepdim);
  if (wants_gradient(x)) {
    record(y, "sum", {x},
           [sizes = x.sizes(), kept = kept_sizes(x.sizes(), dims, "sum")](const Tensor& gradient, Node&) {
             return Tensors{gradient.reshape(kept).expand(sizes)};
           });
  }
  return y;
}

Tensor mean(const Tensor& x, const Sizes& dims, bool keepdim) {
  Tensor y = kernels::mean(x, dims, keepdim);
  if (wants_gradient(x)) {
    record(y, "mean", {x},
           [sizes = x.sizes(), kept = kept_sizes(x.sizes(), dims, "mean")](const Tensor& gradient, Node&) {
             const double share = static_cast<double>(product(kept)) / static_cast<double>(product(sizes));
             return Tensors{mul(gradient, share).reshape(kept).expand(sizes)};
           });
  }
  return y;
}

Tensor max(const Tensor& x) { return record_extreme(kernels::max(x), "max", x); }
Tensor min(const Tensor& x) { return record_extreme(kernels::min(x), "min", x); }

ValuesAndIndices max(const Tensor& x, std::int64_t dim, bool keepdim) {
  Tensor values = kernels::max(x, {dim}, keepdim);  // first, so that an error names it
  return extremes(std::move(values), kernels::argmax(x, dim, keepdim), "max", x, dim, keepdim);
}

ValuesAndIndices min(const Tensor& x, std::int64_t dim, bool keepdim) {
  Tensor values = kernels::min(x, {dim}, keepdim);  // first, so that an error names it
  return extremes(std::move(values), kernels::argmin(x, dim, keepdim), "min", x, dim, keepdim);
}

Tensor argmax(const Tensor& x, std::int64_t dim, bool keepdim) { return kernels::argmax(x, dim, keepdim); }

}  // namespace reprise
