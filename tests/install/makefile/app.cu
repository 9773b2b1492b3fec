#include <cstdio>

#include "app.h"

__global__ void give(int* out) { *out = VALUE; }

int main() {
  int *device, value = 0;
  cudaMalloc(&device, sizeof(int));
  give<<<1, 1>>>(device);
  cudaMemcpy(&value, device, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d on %d device\n", value, device_count());
}
