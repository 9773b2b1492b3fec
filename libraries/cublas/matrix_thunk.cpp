#include <cblas.h>

#include <algorithm>

#include "matrix.h"

namespace reprise_cublas {
namespace {

template <class Work, class Run>
void for_parts(const Work& work, const reprise_launch* launch, Run run) {
  for (uint64_t block = launch->block_begin; block < launch->block_end; ++block) {
    const int begin = static_cast<int>(block) * work.part;
    run(begin, std::min(work.part, work.columns - begin));
  }
}

// An operand with factor zero is not read, since it may contain NaN.
float term(float factor, const float* matrix, bool transposed, int leading, int row, int column) {
  if (factor == 0) return 0;
  return factor * (transposed ? matrix[column + static_cast<int64_t>(row) * leading]
                              : matrix[row + static_cast<int64_t>(column) * leading]);
}

}  // namespace

void outer_thunk(const void* arguments, const reprise_launch* launch) {
  const auto& outer = *static_cast<const Outer*>(arguments);
  for_parts(outer, launch, [&](int begin, int count) {
    const int first = outer.incy > 0 ? begin : outer.columns - begin - count;
    cblas_sger(CblasColMajor, outer.rows, count, outer.alpha.get(), outer.x, outer.incx,
               outer.y + static_cast<int64_t>(first) * std::abs(outer.incy), outer.incy,
               outer.a + static_cast<int64_t>(begin) * outer.leading, outer.leading);
  });
}

void sum_thunk(const void* arguments, const reprise_launch* launch) {
  const auto& sum = *static_cast<const Sum*>(arguments);
  const float alpha = sum.alpha.get(), beta = sum.beta.get();
  for_parts(sum, launch, [&](int begin, int count) {
    for (int column = begin; column < begin + count; ++column)
      for (int row = 0; row < sum.rows; ++row)
        sum.c[row + static_cast<int64_t>(column) * sum.c_leading] =
            term(alpha, sum.a, sum.a_transposed, sum.a_leading, row, column) +
            term(beta, sum.b, sum.b_transposed, sum.b_leading, row, column);
  });
}

}  // namespace reprise_cublas
