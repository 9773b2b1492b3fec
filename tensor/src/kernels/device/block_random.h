// Random numbers for the threads of a block.
#pragma once

#include <cuda_runtime.h>
#include <reprise/philox.h>

namespace reprise::kernels {

// The same numbers as `state`, whose beginning is looked up once for the block (of one dimension), so that drawing has
// no branches: a processor then draws for several groups at once. All threads of the block call it, once in a kernel.
__device__ inline PhiloxState looked_up_once(const PhiloxState& state) {
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
