// What is true of two tensors. Nothing here has a gradient.
#include <reprise/ops.h>

#include "raw/elementwise.h"

namespace reprise {

Tensor eq(const Tensor& a, const Tensor& b) { return raw::eq(a, b); }
Tensor eq(const Tensor& a, Scalar b) { return raw::eq(a, b); }
Tensor ne(const Tensor& a, const Tensor& b) { return raw::ne(a, b); }
Tensor ne(const Tensor& a, Scalar b) { return raw::ne(a, b); }
Tensor operator<(const Tensor& a, const Tensor& b) { return raw::lt(a, b); }
Tensor operator<(const Tensor& a, Scalar b) { return raw::lt(a, b); }
Tensor operator<=(const Tensor& a, const Tensor& b) { return raw::le(a, b); }
Tensor operator<=(const Tensor& a, Scalar b) { return raw::le(a, b); }
Tensor operator>(const Tensor& a, const Tensor& b) { return raw::gt(a, b); }
Tensor operator>(const Tensor& a, Scalar b) { return raw::gt(a, b); }
Tensor operator>=(const Tensor& a, const Tensor& b) { return raw::ge(a, b); }
Tensor operator>=(const Tensor& a, Scalar b) { return raw::ge(a, b); }
Tensor logical_and(const Tensor& a, const Tensor& b) { return raw::logical_and(a, b); }
Tensor logical_or(const Tensor& a, const Tensor& b) { return raw::logical_or(a, b); }
Tensor logical_not(const Tensor& x) { return raw::logical_not(x); }

}  // namespace reprise
