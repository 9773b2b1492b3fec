// Thread block clusters. Launches with clusters of more than one block fail, so each block is a cluster of its own.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

struct cluster_group {
  using arrival_token = __reprise::arrival_token;

  __device__ static void sync() { __syncthreads(); }
  __device__ static arrival_token barrier_arrive() { return {}; }
  __device__ static void barrier_wait() { __syncthreads(); }
  __device__ static void barrier_wait(arrival_token&&) { __syncthreads(); }

  __device__ static unsigned num_threads() { return __reprise::threads_of_block(); }
  __device__ static unsigned size() { return num_threads(); }
  __device__ static unsigned thread_rank() { return __reprise::rank_in_block(); }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static unsigned num_blocks() { return 1; }
  __device__ static unsigned block_rank() { return 0; }
  __device__ static dim3 block_index() { return dim3(0, 0, 0); }
  __device__ static dim3 dim_blocks() { return dim3(1, 1, 1); }

  __device__ static unsigned query_shared_rank(const void*) { return 0; }
  template <class T>
  __device__ static T* map_shared_rank(T* address, int) {
    return address;
  }
};

__device__ inline cluster_group this_cluster() { return {}; }

}  // namespace __v1
}  // namespace cooperative_groups
