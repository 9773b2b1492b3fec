#include <algorithm>
#include <cmath>

#include "vector.h"

namespace reprise_cublas {
namespace {

// The elements begin, begin + 1, ... as a vector with the same increment, by BLAS's rule for negative increments.
template <class Value>
Value* part_of(Value* vector, int n, int increment, int begin, int count) {
  if (increment >= 0) return vector + static_cast<int64_t>(begin) * increment;
  return vector + static_cast<int64_t>(n - begin - count) * -static_cast<int64_t>(increment);
}

// BLAS compares complex numbers by the sum of the magnitudes of their parts.
template <class Value>
Real<Value> magnitude(Value value) {
  if constexpr (is_complex<Value>) {
    return std::fabs(value.real()) + std::fabs(value.imag());
  } else {
    return std::fabs(value);
  }
}

// The index, counted from 1, of the first element with the greatest or least magnitude; 0 if the vector is empty.
template <class Value>
int place_of(const Reduction<Value>& work) {
  int place = 0;
  Real<Value> best = 0;
  for (int i = 0; i < work.n; ++i) {
    const Real<Value> now = magnitude(work.x[static_cast<int64_t>(i) * work.incx]);
    if (place == 0 || (work.reduction == VectorReduction::greatest ? now > best : now < best)) {
      place = i + 1;
      best = now;
    }
  }
  return place;
}

}  // namespace

template <class Value>
void run_blocks(const Gemv<Value>& gemv, const reprise_launch& launch) {
  const bool plain = gemv.operation == CblasNoTrans;
  for_parts(gemv.part, gemv.results(), launch, [&](int begin, int count) {
    const Value* a = gemv.a + (plain ? begin : static_cast<int64_t>(begin) * gemv.leading);
    reprise_cublas::gemv(gemv.operation, plain ? count : gemv.rows, plain ? gemv.columns : count, gemv.alpha.get(), a,
                         gemv.leading, gemv.x, gemv.incx, gemv.beta.get(),
                         part_of(gemv.y, gemv.results(), gemv.incy, begin, count), gemv.incy);
  });
}

template <class Value>
void run_blocks(const Vector<Value>& work, const reprise_launch& launch) {
  for_parts(work.part, work.n, launch, [&](int begin, int count) {
    Value* y = part_of(work.y, work.n, work.incy, begin, count);
    // Scaling needs none.
    auto x = [&] { return part_of(work.x, work.n, work.incx, begin, count); };
    switch (work.operation) {
      case VectorOperation::scale:
        return scal(count, work.alpha.get(), y, work.incy);
      case VectorOperation::scale_by_real:
        return scal(count, Value(work.real_alpha.get()), y, work.incy);
      case VectorOperation::add:
        return axpy(count, work.alpha.get(), x(), work.incx, y, work.incy);
      case VectorOperation::copy:
        return copy(count, x(), work.incx, y, work.incy);
      case VectorOperation::exchange:
        return swap(count, x(), work.incx, y, work.incy);
    }
  });
}

template <class Value>
void run_blocks(const Reduction<Value>& work, const reprise_launch&) {
  auto& number = *static_cast<Value*>(work.result);
  auto& real = *static_cast<Real<Value>*>(work.result);
  switch (work.reduction) {
    case VectorReduction::dot:
    case VectorReduction::conjugated_dot:
      number = dot(work.reduction == VectorReduction::conjugated_dot, work.n, work.x, work.incx, work.y, work.incy);
      break;
    case VectorReduction::norm:
      real = nrm2(work.n, work.x, work.incx);
      break;
    case VectorReduction::sum_of_magnitudes:
      real = asum(work.n, work.x, work.incx);
      break;
    case VectorReduction::greatest:
    case VectorReduction::least:
      *static_cast<int*>(work.result) = place_of(work);
      break;
  }
}

#define INSTANTIATE(Value)                                               \
  template void run_blocks(const Gemv<Value>&, const reprise_launch&);   \
  template void run_blocks(const Vector<Value>&, const reprise_launch&); \
  template void run_blocks(const Reduction<Value>&, const reprise_launch&);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(Complex)
INSTANTIATE(DoubleComplex)

}  // namespace reprise_cublas
