#include <cblas.h>

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

void run(const Gemv& gemv, int begin, int count) {
  const int n = gemv.transposed ? gemv.columns : gemv.rows;
  const float* a = gemv.a + (gemv.transposed ? static_cast<int64_t>(begin) * gemv.leading : begin);
  cblas_sgemv(CblasColMajor, gemv.transposed ? CblasTrans : CblasNoTrans, gemv.transposed ? gemv.rows : count,
              gemv.transposed ? count : gemv.columns, gemv.alpha.get(), a, gemv.leading, gemv.x, gemv.incx,
              gemv.beta.get(), part_of(gemv.y, n, gemv.incy, begin, count), gemv.incy);
}

void run(const Vector& vector, int begin, int count) {
  float* y = part_of(vector.y, vector.n, vector.incy, begin, count);
  // Scaling needs none.
  auto x = [&] { return part_of(vector.x, vector.n, vector.incx, begin, count); };
  switch (vector.what) {
    case Vector::What::scale:
      cblas_sscal(count, vector.alpha.get(), y, vector.incy);
      break;
    case Vector::What::add:
      cblas_saxpy(count, vector.alpha.get(), x(), vector.incx, y, vector.incy);
      break;
    case Vector::What::copy:
      cblas_scopy(count, x(), vector.incx, y, vector.incy);
      break;
    case Vector::What::exchange:
      cblas_sswap(count, x(), vector.incx, y, vector.incy);
      break;
  }
}

// The index, counted from 1, of the first element with the greatest or least magnitude; 0 if the vector is empty.
int place_of(const Reduction& reduction) {
  int place = 0;
  float best = 0;
  for (int i = 0; i < reduction.n; ++i) {
    const float magnitude = std::fabs(reduction.x[static_cast<int64_t>(i) * reduction.incx]);
    if (place == 0 || (reduction.what == Reduction::What::greatest ? magnitude > best : magnitude < best)) {
      place = i + 1;
      best = magnitude;
    }
  }
  return place;
}

template <class Work>
void run_parts(const Work& work, int n, const reprise_launch* launch) {
  for (uint64_t block = launch->block_begin; block < launch->block_end; ++block) {
    const int begin = static_cast<int>(block) * work.part;
    run(work, begin, std::min(work.part, n - begin));
  }
}

}  // namespace

void gemv_thunk(const void* arguments, const reprise_launch* launch) {
  const auto& gemv = *static_cast<const Gemv*>(arguments);
  run_parts(gemv, gemv.transposed ? gemv.columns : gemv.rows, launch);
}

void vector_thunk(const void* arguments, const reprise_launch* launch) {
  const auto& vector = *static_cast<const Vector*>(arguments);
  run_parts(vector, vector.n, launch);
}

void reduction_thunk(const void* arguments, const reprise_launch*) {
  const auto& reduction = *static_cast<const Reduction*>(arguments);
  auto& result = *static_cast<float*>(reduction.result);
  switch (reduction.what) {
    case Reduction::What::dot:
      result = cblas_sdot(reduction.n, reduction.x, reduction.incx, reduction.y, reduction.incy);
      break;
    case Reduction::What::norm:
      result = cblas_snrm2(reduction.n, reduction.x, reduction.incx);
      break;
    case Reduction::What::sum_of_magnitudes:
      result = cblas_sasum(reduction.n, reduction.x, reduction.incx);
      break;
    case Reduction::What::greatest:
    case Reduction::What::least:
      *static_cast<int*>(reduction.result) = place_of(reduction);
      break;
  }
}

}  // namespace reprise_cublas
