// Reductions over `dims`, or over all dimensions if it is empty. Reduced dimensions are removed, or kept with size 1 if
// `keep`.
#pragma once

#include <reprise/tensor.h>

namespace reprise::kernels {

Tensor sum(const Tensor& x, const Sizes& dims = {}, bool keep = false);
Tensor mean(const Tensor& x, const Sizes& dims = {}, bool keep = false);
Tensor max(const Tensor& x, const Sizes& dims = {}, bool keep = false);
Tensor min(const Tensor& x, const Sizes& dims = {}, bool keep = false);
Tensor prod(const Tensor& x, const Sizes& dims = {}, bool keep = false);
Tensor any(const Tensor& x, const Sizes& dims = {}, bool keep = false);
Tensor all(const Tensor& x, const Sizes& dims = {}, bool keep = false);
// i64: the index of the first largest (smallest) element along `dim`.
Tensor argmax(const Tensor& x, std::int64_t dim, bool keep = false);
Tensor argmin(const Tensor& x, std::int64_t dim, bool keep = false);
Tensor argmax(const Tensor& x);
Tensor argmin(const Tensor& x);

// `grad` summed to `sizes`, which broadcast to those of `grad`: the gradient of a broadcast operand.
Tensor sum_to(const Tensor& grad, const Sizes& sizes);

}  // namespace reprise::kernels
