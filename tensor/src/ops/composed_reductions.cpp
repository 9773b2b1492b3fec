// Further reductions, made of recorded operations.
#include <cmath>

#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/reduction/reduce.h"
#include "ops/broadcast.h"
#include "ops/masked.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;

namespace {

Sizes kept_sizes(const Sizes& sizes, const Sizes& dims, const char* name) {
  Sizes kept = dims.empty() ? Sizes::filled(sizes.size(), 1) : sizes;
  for (std::int64_t dim : dims) kept[wrap_dimension(dim, sizes, name)] = 1;
  return kept;
}

// With the reduced dimensions removed, or kept.
Tensor finished(const Tensor& kept, const Sizes& dims, bool keepdim, const char* name) {
  if (keepdim) return kept;
  Sizes sizes;
  std::vector<bool> removed(static_cast<std::size_t>(kept.dim()), dims.empty());
  for (std::int64_t dim : dims) removed[static_cast<std::size_t>(wrap_dimension(dim, kept.sizes(), name))] = true;
  for (int i = 0; i < kept.dim(); ++i) {
    if (!removed[static_cast<std::size_t>(i)]) sizes.push_back(kept.size(i));
  }
  return kept.reshape(sizes);
}

Tensor extreme(const Tensor& x, const Sizes& dims, bool keepdim, bool largest) {
  const char* name = largest ? "amax" : "amin";
  Tensor y = largest ? kernels::max(x, dims, true) : kernels::min(x, dims, true);
  if (wants_gradient(x)) {
    record(y, name, {x},
           [x = SavedTensor(x, name), y = SavedTensor(y.detach(), name), dims](const Tensor& gradient, Node&) {
             const Tensor chosen = kernels::binary(kernels::BinaryOp::same, x.get(), y.get());
             return Tensors{ops::masked(div(gradient, kernels::sum(chosen, dims, true)), chosen, true)};
           });
  }
  return finished(y, dims, keepdim, name);
}

std::int64_t count_of(const Tensor& x, const Sizes& dims, const char* name) {
  const std::int64_t left = product(kept_sizes(x.sizes(), dims, name));
  return left > 0 ? x.numel() / left : 0;
}

}  // namespace

Tensor amax(const Tensor& x, const Sizes& dims, bool keepdim) { return extreme(x, dims, keepdim, true); }
Tensor amin(const Tensor& x, const Sizes& dims, bool keepdim) { return extreme(x, dims, keepdim, false); }
Tensor argmax(const Tensor& x) { return kernels::argmax(x); }
Tensor argmin(const Tensor& x) { return kernels::argmin(x); }
Tensor argmin(const Tensor& x, std::int64_t dim, bool keepdim) { return kernels::argmin(x, dim, keepdim); }
Tensor any(const Tensor& x, const Sizes& dims, bool keepdim) { return kernels::any(x, dims, keepdim); }
Tensor all(const Tensor& x, const Sizes& dims, bool keepdim) { return kernels::all(x, dims, keepdim); }

namespace {

// The derivative of a product is the product of the other factors: that of all but the zeros, divided by the factor if
// there is no zero, and itself for the only zero.
Tensor prod_over(const Tensor& x, const Sizes& dims, bool keepdim) {
  Tensor y = kernels::prod(x, dims, true);
  if (wants_gradient(x)) {
    record(y, "prod", {x}, [kept = SavedTensor(x, "prod"), dims](const Tensor& gradient, Node&) {
      const Tensor& x = kept;
      const Tensor zero = kernels::eq(x, 0), zeros = kernels::sum(zero, dims, true);
      const Tensor others = masked_fill(x, zero, 1);
      const Tensor all = prod_over(others, dims, true);
      const Tensor of_zero = ops::masked(all, kernels::eq(zeros, 1), true),
                   of_others = ops::masked(div(all, others), kernels::eq(zeros, 0), true);
      return Tensors{mul(gradient, where(zero, of_zero, of_others))};
    });
  }
  return finished(y, dims, keepdim, "prod");
}

}  // namespace

Tensor prod(const Tensor& x) { return prod_over(x, {}, false); }
Tensor prod(const Tensor& x, std::int64_t dim, bool keepdim) { return prod_over(x, {dim}, keepdim); }

Tensor var(const Tensor& x, const Sizes& dims, double correction, bool keepdim) {
  const Tensor centred = sub(x, mean(x, dims, true));
  const double count = static_cast<double>(count_of(x, dims, "var")) - correction;
  return finished(div(sum(mul(centred, centred), dims, true), std::max(count, 0.0)), dims, keepdim, "var");
}

Tensor std(const Tensor& x, const Sizes& dims, double correction, bool keepdim) {
  return sqrt(var(x, dims, correction, keepdim));
}

Tensor norm(const Tensor& x, double p, const Sizes& dims, bool keepdim) {
  if (p == 2) {
    Tensor y = kernels::sqrt(kernels::sum(kernels::square(x), dims, true));
    if (wants_gradient(x)) {
      record(y, "norm", {x},
             [x = SavedTensor(x, "norm"), y = autograd::SavedResult(y, "norm")](const Tensor& gradient, Node& node) {
               // Zero at zero, as PyTorch's.
               const Tensor length = y.get(node);
               const Tensor scale = ops::masked(div(gradient, masked_fill(length, kernels::eq(length, 0), 1)),
                                                kernels::ne(length, 0), true);
               return Tensors{mul(x.get(), scale)};
             });
    }
    return finished(y, dims, keepdim, "norm");
  }
  if (p == 1) return sum(abs(x), dims, keepdim);
  if (std::isinf(p)) return p > 0 ? amax(abs(x), dims, keepdim) : amin(abs(x), dims, keepdim);
  if (p == 0) return sum(kernels::ne(x, 0), dims, keepdim).to(x.dtype());
  return pow(sum(pow(abs(x), p), dims, keepdim), 1 / p);
}

Tensor logsumexp(const Tensor& x, const Sizes& dims, bool keepdim) {
  const Tensor most = kernels::max(x, dims, true);
  const Tensor shift = kernels::where(kernels::is_finite(most), most, kernels::sub(most, most).to(x.dtype()));
  const Tensor safe = masked_fill(shift, isnan(shift), 0);
  return finished(add(log(sum(exp(sub(x, safe)), dims, true)), safe), dims, keepdim, "logsumexp");
}

bool equal(const Tensor& a, const Tensor& b) {
  return a.sizes() == b.sizes() && a.dtype() == b.dtype() && kernels::all(kernels::eq(a, b)).item<bool>();
}

bool allclose(const Tensor& a, const Tensor& b, double rtol, double atol) {
  const Tensor distance = kernels::abs(kernels::sub(a, b)),
               limit = kernels::add(kernels::mul(kernels::abs(b), Scalar(rtol)), Scalar(atol));
  return kernels::all(kernels::logical_or(kernels::le(distance, limit), kernels::eq(a, b))).item<bool>();
}

}  // namespace reprise
