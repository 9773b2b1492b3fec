#pragma once
__device__ inline int number() { return 3; }

inline int on_the_device(void (*kernel)(int*)) {
  int *device = nullptr, host = 0;
  cudaMalloc(&device, sizeof(int));
  kernel<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return host;
}
