#include <cuda_runtime.h>

#include <cstdio>

int main() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  std::printf("%d.%d\n", properties.major, properties.minor);
}
