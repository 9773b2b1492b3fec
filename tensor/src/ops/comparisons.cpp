// Comparisons and logical operations, which have no gradients.
#include <reprise/ops.h>

#include "kernels/elementwise/elementwise.h"

namespace reprise {

Tensor eq(const Tensor& a, const Tensor& b) { return kernels::eq(a, b); }
Tensor eq(const Tensor& a, Scalar b) { return kernels::eq(a, b); }
Tensor ne(const Tensor& a, const Tensor& b) { return kernels::ne(a, b); }
Tensor ne(const Tensor& a, Scalar b) { return kernels::ne(a, b); }
Tensor operator<(const Tensor& a, const Tensor& b) { return kernels::lt(a, b); }
Tensor operator<(const Tensor& a, Scalar b) { return kernels::lt(a, b); }
Tensor operator<=(const Tensor& a, const Tensor& b) { return kernels::le(a, b); }
Tensor operator<=(const Tensor& a, Scalar b) { return kernels::le(a, b); }
Tensor operator>(const Tensor& a, const Tensor& b) { return kernels::gt(a, b); }
Tensor operator>(const Tensor& a, Scalar b) { return kernels::gt(a, b); }
Tensor operator>=(const Tensor& a, const Tensor& b) { return kernels::ge(a, b); }
Tensor operator>=(const Tensor& a, Scalar b) { return kernels::ge(a, b); }
Tensor logical_and(const Tensor& a, const Tensor& b) { return kernels::logical_and(a, b); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return kernels::logical_or(a, b); }
Tensor logical_not(const Tensor& x) { return kernels::logical_not(x); }

}  // namespace reprise
