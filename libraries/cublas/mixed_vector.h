// Vector operations with a type for each operand, chosen by the call: cublasDotEx and its like.
#pragma once

#include <complex>

#include "kernel.h"

namespace reprise_cublas {

enum class MixedOperation : int { dot, conjugated_dot, norm, scale, add };

struct MixedVector {
  MixedOperation operation;
  int n, incx, incy;
  cudaDataType x_type, y_type, scalar_type;  // the scalar is the factor, or the result of a reduction
  const void* x;
  void* y;
  std::complex<double> alpha;
  const void* alpha_address;  // read by the kernel unless null
  void* result;
};

void run_blocks(const MixedVector& work, const reprise_launch& launch);

// Conversions of a number; false if there is no such type here.
bool load(cudaDataType type, const void* from, int64_t index, std::complex<double>& value);
void store(cudaDataType type, void* to, int64_t index, std::complex<double> value);

}  // namespace reprise_cublas
