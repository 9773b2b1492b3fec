// The sum of many terms. The order of the additions is fixed. On a GPU it is one launch, whose blocks form a cluster
// and combine their sums through distributed shared memory; on the CPU device two launches, so that no thread waits for
// another.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/device/dependent_launch.h"
#include "kernels/tensor/empty.h"

namespace reprise::kernels {

// Stores `factor` times the sum of terms.term(i, terms.read(i)) for i < n in *to. Each term is called once and may
// write.
#ifdef REPRISE_GPU
constexpr int grid_sum_threads = 1024, grid_sum_blocks = 8;

// The sum of one thread's terms, in order. Issues the loads of several terms at once to hide their latency.
template <class Terms>
__device__ float sum_of_thread(const Terms& terms, int first, int stride, int n) {
  constexpr int at_once = 8;
  float sum = 0;
  for (std::int64_t begin = first; begin < n; begin += std::int64_t(stride) * at_once) {
    float read[at_once];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::int64_t i = begin + std::int64_t(stride) * k;
      read[k] = i < n ? terms.read(static_cast<int>(i)) : 0;
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      const std::int64_t i = begin + std::int64_t(stride) * k;
      if (i < n) sum += terms.term(static_cast<int>(i), read[k]);
    }
  }
  return sum;
}

template <class Terms>
__global__ void __launch_bounds__(grid_sum_threads) grid_sum_kernel(float* to, Terms terms, int n, float factor) {
  namespace cg = cooperative_groups;
  __shared__ float parts[grid_sum_threads / 32];
  __shared__ float block_sum;
  wait_for_prior_grids();
  float sum = sum_of_thread(terms, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x, n);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = parts[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    if (threadIdx.x == 0) block_sum = sum;
  }
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    sum = 0;
    for (unsigned i = 0; i < cluster.num_blocks(); ++i) sum += *cluster.map_shared_rank(&block_sum, i);
    *to = sum * factor;
  }
  // Keeps the shared memory of this block alive until the others have read it.
  cluster.sync();
}

template <class Terms>
void launch_grid_sum(const char* operation, float* to, const Terms& terms, int n, float factor) {
  launch_dependent(operation, grid_sum_kernel<Terms>, {grid_sum_blocks, grid_sum_threads, 0, grid_sum_blocks}, to,
                   terms, n, factor);
}
#else
constexpr int grid_sum_threads = 256, grid_sum_blocks = 8;

template <class Terms>
__global__ void thread_sums_kernel(float* sums, Terms terms, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += terms.term(i, terms.read(i));
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static __global__ void sum_of_sums_kernel(float* to, const float* sums, float factor) {
  float parts[8] = {};
  for (int i = 0; i < grid_sum_threads * grid_sum_blocks; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) parts[k] += sums[i + k];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += parts[k];
  *to = sum * factor;
}

template <class Terms>
void launch_grid_sum(const char* operation, float* to, const Terms& terms, int n, float factor) {
  const Tensor sums = empty({grid_sum_threads * grid_sum_blocks});
  launch_dependent(operation, thread_sums_kernel<Terms>, {grid_sum_blocks, grid_sum_threads}, sums.data<float>(), terms,
                   n);
  launch_dependent(operation, sum_of_sums_kernel, {1, 1}, to, sums.data<float>(), factor);
}
#endif

template <class Terms>
void grid_sum(const char* operation, float* to, const Terms& terms, std::int64_t n, float factor) {
  check(n < (std::int64_t(1) << 31), operation, " of ", n, " elements: at most 2^31 - 1");
  launch_grid_sum(operation, to, terms, static_cast<int>(n), factor);
}

}  // namespace reprise::kernels
