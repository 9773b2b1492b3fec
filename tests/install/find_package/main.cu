#include <vector>

#include "scale.h"

int main() {
  std::vector<int> data(1000, 5);
  int* device;
  cudaMalloc(&device, data.size() * sizeof(int));
  cudaMemcpy(device, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice);
  scale(device, static_cast<int>(data.size()));
  shift(device, static_cast<int>(data.size()));
  cudaMemcpy(data.data(), device, data.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  report(data.back());
}
