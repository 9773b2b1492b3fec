// Two concurrent streams, an event that makes one wait for the other, and events that measure time.
#include "check.h"

__global__ void fill(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value;
}

__global__ void add(const int* a, const int* b, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 1 << 20, threads = 256, blocks = (n + threads - 1) / threads;
  int *a, *b, *sum;
  for (int** pointer : {&a, &b, &sum}) CHECK(cudaMalloc(pointer, n * sizeof(int)));
  cudaStream_t left, right;
  CHECK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
  cudaEvent_t begin, end, b_ready;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventCreateWithFlags(&b_ready, cudaEventDisableTiming));

  CHECK(cudaEventRecord(begin, left));
  fill<<<blocks, threads, 0, left>>>(a, n, 40);
  fill<<<blocks, threads, 0, right>>>(b, n, 2);
  CHECK(cudaEventRecord(b_ready, right));
  CHECK(cudaStreamWaitEvent(left, b_ready));
  add<<<blocks, threads, 0, left>>>(a, b, sum, n);
  CHECK(cudaEventRecord(end, left));
  CHECK(cudaEventSynchronize(end));

  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  int first = 0, last = 0;
  CHECK(cudaMemcpy(&first, sum, sizeof first, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&last, sum + n - 1, sizeof last, cudaMemcpyDeviceToHost));
  for (cudaEvent_t event : {begin, end, b_ready}) CHECK(cudaEventDestroy(event));
  for (cudaStream_t stream : {left, right}) CHECK(cudaStreamDestroy(stream));
  for (int* pointer : {a, b, sum}) CHECK(cudaFree(pointer));

  std::printf("40 + 2 = %d ... %d, two streams joined by an event, in %.2f ms\n", first, last, milliseconds);
  return first != 42 || last != 42 || milliseconds < 0;
}
