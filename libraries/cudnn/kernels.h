// The kernels of this library, which are host functions (libraries/host_kernel).
#pragma once

#include <cudnn.h>

#include "plan.h"

namespace reprise_cudnn {

struct Convolve {
  const Plan* plan;
  const float *a, *b, *bias;
  float* to;
};

// Adds the results of pieces.
struct Add {
  const float* parts;
  float* to;
  int64_t length;
  int count;
  static constexpr int64_t block = 4096;  // elements of a block
};

cudnnStatus_t launch(const Convolve& work, Direction direction, cudaStream_t stream);
cudnnStatus_t launch(const Add& work, cudaStream_t stream);

}  // namespace reprise_cudnn
