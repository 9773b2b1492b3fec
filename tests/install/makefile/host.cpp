#include <cuda_runtime.h>

#include "app.h"

int device_count() {
  int count = 0;
  cudaGetDeviceCount(&count);
  return count;
}
