#include <algorithm>
#include <cstdlib>

#include "matrix.h"

namespace reprise_cublas {
namespace {

// An operand with factor zero is not read, since it may contain NaN.
template <class Value>
Value term(Value factor, const Value* matrix, CBLAS_TRANSPOSE operation, int leading, int row, int column) {
  if (factor == Value(0)) return Value(0);
  if (operation == CblasNoTrans) return factor * matrix[row + static_cast<int64_t>(column) * leading];
  const Value element = matrix[column + static_cast<int64_t>(row) * leading];
  if constexpr (is_complex<Value>) {
    if (operation == CblasConjTrans) return factor * std::conj(element);
  }
  return factor * element;
}

}  // namespace

template <class Value>
void run_blocks(const Outer<Value>& outer, const reprise_launch& launch) {
  for_parts(outer.part, outer.columns, launch, [&](int begin, int count) {
    const int first = outer.incy > 0 ? begin : outer.columns - begin - count;
    ger(outer.conjugated, outer.rows, count, outer.alpha.get(), outer.x, outer.incx,
        outer.y + static_cast<int64_t>(first) * std::abs(outer.incy), outer.incy,
        outer.a + static_cast<int64_t>(begin) * outer.leading, outer.leading);
  });
}

template <class Value>
void run_blocks(const Sum<Value>& sum, const reprise_launch& launch) {
  const Value alpha = sum.alpha.get(), beta = sum.beta.get();
  for_parts(sum.part, sum.columns, launch, [&](int begin, int count) {
    for (int column = begin; column < begin + count; ++column)
      for (int row = 0; row < sum.rows; ++row)
        sum.c[row + static_cast<int64_t>(column) * sum.c_leading] =
            term(alpha, sum.a, sum.a_operation, sum.a_leading, row, column) +
            term(beta, sum.b, sum.b_operation, sum.b_leading, row, column);
  });
}

#define INSTANTIATE(Value)                                              \
  template void run_blocks(const Outer<Value>&, const reprise_launch&); \
  template void run_blocks(const Sum<Value>&, const reprise_launch&);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(Complex)
INSTANTIATE(DoubleComplex)

}  // namespace reprise_cublas
