#include <cstdio>

void run(int* out);

int main() {
  int *device, value = 0;
  cudaMalloc(&device, sizeof(int));
  run(device);
  cudaMemcpy(&value, device, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("%d\n", value);
}
