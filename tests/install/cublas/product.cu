// A product by cuBLAS of numbers that a kernel makes.
#include <cublas_v2.h>

#include <cstdio>

__global__ void count(float* numbers) { numbers[threadIdx.x] = threadIdx.x; }

int main() {
  float *numbers, sum = 0;
  cublasHandle_t handle;
  cudaMalloc(&numbers, 4 * sizeof(float));
  count<<<1, 4>>>(numbers);
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  if (cublasSdot(handle, 4, numbers, 1, numbers, 1, &sum) != CUBLAS_STATUS_SUCCESS) return 1;
  std::printf("%g\n", sum);
}
