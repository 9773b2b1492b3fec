#include <cmath>

#include "mixed_vector.h"
#include "small_float.h"

namespace reprise_cublas {
namespace {

template <class Value>
const Value& at(const void* from, int64_t index) {
  return static_cast<const Value*>(from)[index];
}

std::complex<double> number(cudaDataType type, const void* from, int64_t index) {
  std::complex<double> value;
  static_cast<void>(load(type, from, index, value));
  return value;
}

// The place of element i by BLAS's rule for negative increments.
int64_t place(int i, int n, int increment) {
  return increment >= 0 ? static_cast<int64_t>(i) * increment : static_cast<int64_t>(i - n + 1) * increment;
}

void reduce(const MixedVector& work) {
  std::complex<double> sum = 0;
  for (int i = 0; i < work.n; ++i) {
    const std::complex<double> x = number(work.x_type, work.x, place(i, work.n, work.incx));
    if (work.operation == MixedOperation::norm) {
      sum += std::norm(x);
    } else {
      const std::complex<double> y = number(work.y_type, work.y, place(i, work.n, work.incy));
      sum += (work.operation == MixedOperation::conjugated_dot ? std::conj(x) : x) * y;
    }
  }
  store(work.scalar_type, work.result, 0, work.operation == MixedOperation::norm ? std::sqrt(sum.real()) : sum);
}

void combine(const MixedVector& work) {
  const std::complex<double> alpha = work.alpha_address ? number(work.scalar_type, work.alpha_address, 0) : work.alpha;
  for (int i = 0; i < work.n; ++i) {
    const int64_t to = place(i, work.n, work.incy);
    const std::complex<double> y = number(work.y_type, work.y, to);
    store(work.y_type, work.y, to,
          work.operation == MixedOperation::scale
              ? alpha * y
              : alpha * number(work.x_type, work.x, place(i, work.n, work.incx)) + y);
  }
}

}  // namespace

bool load(cudaDataType type, const void* from, int64_t index, std::complex<double>& value) {
  switch (type) {
    case CUDA_R_16F:
      value = static_cast<double>(widened(Element::f16, &at<uint16_t>(from, index)));
      return true;
    case CUDA_R_16BF:
      value = static_cast<double>(widened(Element::bf16, &at<uint16_t>(from, index)));
      return true;
    case CUDA_R_32F:
      value = static_cast<double>(at<float>(from, index));
      return true;
    case CUDA_R_64F:
      value = at<double>(from, index);
      return true;
    case CUDA_C_32F:
      value = std::complex<double>(at<std::complex<float>>(from, index));
      return true;
    case CUDA_C_64F:
      value = at<std::complex<double>>(from, index);
      return true;
    default:
      return false;
  }
}

void store(cudaDataType type, void* to, int64_t index, std::complex<double> value) {
  const auto real = static_cast<float>(value.real());
  switch (type) {
    case CUDA_R_16F:
      return narrow(Element::f16, &real, 1, static_cast<uint16_t*>(to) + index);
    case CUDA_R_16BF:
      return narrow(Element::bf16, &real, 1, static_cast<uint16_t*>(to) + index);
    case CUDA_R_32F:
      static_cast<float*>(to)[index] = real;
      return;
    case CUDA_R_64F:
      static_cast<double*>(to)[index] = value.real();
      return;
    case CUDA_C_32F:
      static_cast<std::complex<float>*>(to)[index] = std::complex<float>(value);
      return;
    default:
      static_cast<std::complex<double>*>(to)[index] = value;
  }
}

void run_blocks(const MixedVector& work, const reprise_launch&) {
  const bool reduces = work.operation != MixedOperation::scale && work.operation != MixedOperation::add;
  reduces ? reduce(work) : combine(work);
}

}  // namespace reprise_cublas
