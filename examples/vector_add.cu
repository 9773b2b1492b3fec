// Vectors of any length: a kernel template, managed memory, and a grid-stride loop.
#include "check.h"

template <typename T>
__global__ void add(const T* a, const T* b, T* sum, size_t n) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) sum[i] = a[i] + b[i];
}

template <typename T>
int wrong_sums(size_t n) {
  T *a, *b, *sum;
  for (T** pointer : {&a, &b, &sum}) CHECK(cudaMallocManaged(pointer, n * sizeof(T)));
  for (size_t i = 0; i < n; ++i) {
    a[i] = static_cast<T>(i);
    b[i] = static_cast<T>(2 * i);
  }
  add<<<64, 256>>>(a, b, sum, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (size_t i = 0; i < n; ++i) wrong += sum[i] != static_cast<T>(3 * i);
  for (T* pointer : {a, b, sum}) CHECK(cudaFree(pointer));
  return wrong;
}

int main() {
  const int wrong = wrong_sums<int>(1'000'003) + wrong_sums<double>(777'777);
  std::printf("sums of 1000003 ints and 777777 doubles: %d wrong\n", wrong);
  return wrong != 0;
}
