// A first program: y = a x + y on a million numbers.
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 20;
  std::vector<float> x(n, 1.0f), y(n, 2.0f);
  float *device_x, *device_y;
  cudaMalloc(&device_x, n * sizeof(float));
  cudaMalloc(&device_y, n * sizeof(float));
  cudaMemcpy(device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  saxpy<<<(n + 255) / 256, 256>>>(n, 3.0f, device_x, device_y);

  cudaMemcpy(y.data(), device_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device_x);
  cudaFree(device_y);

  int wrong = 0;
  for (float each : y) wrong += each != 5.0f;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("3 * 1 + 2 = %g, %d times, %d wrong, on %s\n", y[0], n, wrong, device.name);
  return wrong != 0;
}
