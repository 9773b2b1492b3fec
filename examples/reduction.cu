// A sum in two ways: through shared memory with __syncthreads, and through warp shuffles and an atomic.
#include <vector>

#include "check.h"

constexpr int threads = 256;

__global__ void sum_blocks(const int* in, long long* out, int n) {
  __shared__ long long partial[threads];
  long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += in[i];
  partial[threadIdx.x] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void sum_warps(const int* in, unsigned long long* out, int n) {
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += in[i];
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, mine);
}

int main() {
  const int n = 5'000'000, blocks = 40;
  std::vector<int> numbers(n);
  long long expected = 0;
  for (int i = 0; i < n; ++i) expected += numbers[i] = i % 1000;

  int* in;
  long long* partial;
  unsigned long long* total;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&partial, blocks * sizeof(long long)));
  CHECK(cudaMalloc(&total, sizeof *total));
  CHECK(cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(total, 0, sizeof *total));

  sum_blocks<<<blocks, threads>>>(in, partial, n);
  sum_warps<<<blocks, threads>>>(in, total, n);

  std::vector<long long> partials(blocks);
  unsigned long long by_warps = 0;
  CHECK(cudaMemcpy(partials.data(), partial, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&by_warps, total, sizeof by_warps, cudaMemcpyDeviceToHost));
  long long by_blocks = 0;
  for (long long each : partials) by_blocks += each;
  for (void* pointer : {static_cast<void*>(in), static_cast<void*>(partial), static_cast<void*>(total)})
    CHECK(cudaFree(pointer));

  std::printf("sum of %d numbers: %lld by blocks, %llu by warps, %lld expected\n", n, by_blocks, by_warps, expected);
  return by_blocks != expected || by_warps != static_cast<unsigned long long>(expected);
}
