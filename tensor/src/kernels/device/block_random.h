// Random numbers for the threads of a block.
#pragma once

#include <cuda_runtime.h>
#include <reprise/philox.h>

namespace reprise::kernels {

// Loads the position of `state` once for the (one-dimensional) block. Drawing then has no branches, which lets the CPU
// compiler vectorise it. All threads of the block must call this, once per kernel.
__device__ inline PhiloxState load_position_once(const PhiloxState& state) {
  __shared__ std::uint64_t seed, offset;
  if (threadIdx.x == 0) {
    seed = state.seed + (state.in_graph ? state.in_graph[0] : 0);
    offset = state.offset + (state.in_graph ? state.in_graph[1] : 0);
  }
  __syncthreads();
  PhiloxState own;
  own.seed = seed;
  own.offset = offset;
  return own;
}

}  // namespace reprise::kernels
