// The sum of many terms as one number, in one launch and in an order that never changes. On a GPU the blocks of the launch
// are one cluster and add through each other's shared memory; on the CPU device there is one block.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "raw/launch.h"

namespace reprise::raw {

constexpr int grid_sum_threads = 1024;
#ifdef REPRISE_GPU
constexpr int grid_sum_blocks = 8;
#else
constexpr int grid_sum_blocks = 1;
#endif

// terms(i) is called once for each i below n; what it returns is summed, `factor` times the sum goes to *to.
template <class Terms>
__global__ void __launch_bounds__(grid_sum_threads) grid_sum_kernel(float* to, Terms terms, std::int64_t n, float factor) {
  namespace cg = cooperative_groups;
  __shared__ float parts[32];
  __shared__ float block_sum;
  float sum = 0;
  const std::int64_t stride = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) sum += terms(i);
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int i = 0; i < 32; ++i) sum += parts[i];
    block_sum = sum;
  }
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    sum = 0;
    for (unsigned i = 0; i < cluster.num_blocks(); ++i) sum += *cluster.map_shared_rank(&block_sum, i);
    *to = sum * factor;
  }
  // The others' memory must stay until it was read.
  cluster.sync();
}

template <class Terms>
void grid_sum(const char* operation, float* to, const Terms& terms, std::int64_t n, float factor) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid_sum_blocks);
  config.blockDim = dim3(grid_sum_threads);
  config.stream = current_stream();
  cudaLaunchAttribute cluster;
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = grid_sum_blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = grid_sum_blocks > 1 ? 1 : 0;
  check_cuda(cudaLaunchKernelEx(&config, grid_sum_kernel<Terms>, to, terms, n, factor), operation);
}

}  // namespace reprise::raw
