// All threads of a launch. Its barrier needs a cooperative launch, in which all blocks run at the same time.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

struct grid_group {
  using arrival_token = __reprise::arrival_token;

  __device__ bool is_valid() const { return true; }
  __device__ void sync() const { __reprise_grid_barrier(); }
  __device__ arrival_token barrier_arrive() const { return {}; }
  __device__ void barrier_wait(arrival_token&&) const { __reprise_grid_barrier(); }

  __device__ static unsigned long long num_threads() { return num_blocks() * __reprise::threads_of_block(); }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * __reprise::threads_of_block() + __reprise::rank_in_block();
  }
  __device__ static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __device__ static dim3 block_index() { return blockIdx; }
  __device__ static dim3 dim_blocks() { return gridDim; }
  __device__ static dim3 group_dim() { return gridDim; }

  // Every block is a cluster of its own.
  __device__ static unsigned long long num_clusters() { return num_blocks(); }
  __device__ static unsigned long long cluster_rank() { return block_rank(); }
  __device__ static dim3 dim_clusters() { return gridDim; }
  __device__ static dim3 cluster_index() { return blockIdx; }
};

__device__ inline grid_group this_grid() { return {}; }

}  // namespace __v1
}  // namespace cooperative_groups
