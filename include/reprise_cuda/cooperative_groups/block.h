// The threads of a block.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

struct thread_block;

namespace __reprise {

// The token that barrier_arrive() returns and barrier_wait() takes. The barrier itself is in the wait: a thread may do
// other work between the two calls, and no thread passes the wait before all have arrived.
struct arrival_token {};

__device__ inline unsigned rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

}  // namespace __reprise

struct thread_block {
  using arrival_token = __reprise::arrival_token;

  __device__ static void sync() { __syncthreads(); }
  __device__ static arrival_token barrier_arrive() { return {}; }
  __device__ static void barrier_wait(arrival_token&&) { __syncthreads(); }

  __device__ static unsigned thread_rank() { return __reprise::rank_in_block(); }
  __device__ static unsigned num_threads() { return __reprise::threads_of_block(); }
  __device__ static unsigned size() { return num_threads(); }
  __device__ static dim3 thread_index() { return threadIdx; }
  __device__ static dim3 group_index() { return blockIdx; }
  __device__ static dim3 dim_threads() { return blockDim; }
  __device__ static dim3 group_dim() { return blockDim; }
};

__device__ inline thread_block this_thread_block() { return {}; }

// On older GPUs, programs reserve memory for tiles wider than a warp. Here the tiles have memory of their own.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  char unused;
};
template <unsigned MaxBlockSize>
__device__ thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
}  // namespace experimental

}  // namespace __v1
}  // namespace cooperative_groups
