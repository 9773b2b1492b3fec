#include <cuda_runtime_api.h>

#include <cstdio>

#include "scale.h"

void report(int value) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("%d with CUDA %d\n", value, version);
}
