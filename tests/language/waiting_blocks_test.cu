// Blocks of an ordinary launch that wait for each other, as persistent kernels do: a device that can hold all of them
// runs them at once.
#include "device_array.h"

namespace {

constexpr int blocks = 132, threads = 64, rounds = 5;  // as many blocks as an H200 has multiprocessors

// A token goes round: each block waits until it is its turn, in every round.
__global__ void pass_token(int* token, int* hops, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0)
      while (atomicAdd(token, 0) != round * static_cast<int>(gridDim.x) + static_cast<int>(blockIdx.x)) {
      }
    __syncthreads();
    if (threadIdx.x == 1) hops[blockIdx.x] = hops[(blockIdx.x + gridDim.x - 1) % gridDim.x] + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(token, 1);
    }
  }
}

TEST(WaitingBlocks, PassATokenInARing) {
  DeviceArray<int> token(std::vector<int>{0}), hops(std::vector<int>(blocks, 0));
  pass_token<<<blocks, threads>>>(token, hops, rounds);
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(token.host()[0], rounds * blocks);
  EXPECT_EQ(hops.host()[blocks - 1], rounds * blocks);
}

// Each block waits for both neighbours, so for one that starts later.
__global__ void wait_for_neighbours(volatile int* arrived, int rounds, int* out) {
  const int block = static_cast<int>(blockIdx.x), count = static_cast<int>(gridDim.x);
  for (int round = 1; round <= rounds; ++round) {
    if (threadIdx.x == 0) {
      arrived[block] = round;
      __threadfence();
      while (arrived[(block + 1) % count] < round) {
      }
      while (arrived[(block + count - 1) % count] < round) {
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[block] = arrived[(block + 1) % count];
}

TEST(WaitingBlocks, WaitForTheirNeighbours) {
  DeviceArray<int> arrived(std::vector<int>(blocks, 0)), out(blocks);
  wait_for_neighbours<<<blocks, threads>>>(arrived.get(), rounds, out);
  ASSERT_CUDA(cudaDeviceSynchronize());
  for (int seen : out.host()) EXPECT_GE(seen, rounds);
}

// The last block to arrive lets the others go.
__global__ void cross_own_barrier(unsigned* arrived, volatile unsigned* opened, int rounds, int* sums) {
  for (int round = 1; round <= rounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      if (atomicAdd(arrived, 1) == gridDim.x - 1) {
        *arrived = 0;
        __threadfence();
        *opened = round;
      } else {
        while (*opened < static_cast<unsigned>(round)) {
        }
      }
    }
    __syncthreads();
    sums[blockIdx.x * blockDim.x + threadIdx.x] += round;
  }
}

TEST(WaitingBlocks, CrossABarrierOfTheirOwnMaking) {
  DeviceArray<unsigned> arrived(std::vector<unsigned>{0}), opened(std::vector<unsigned>{0});
  DeviceArray<int> sums(std::vector<int>(blocks * threads, 0));
  cross_own_barrier<<<blocks, threads>>>(arrived.get(), opened.get(), rounds, sums);
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(sums.host(), std::vector<int>(blocks * threads, rounds * (rounds + 1) / 2));
}

// Producers and consumers in one grid: the first half of the blocks waits for the second, which starts later.
__global__ void consume_what_later_blocks_produce(volatile int* ready, int* values, int* out) {
  const int half = static_cast<int>(gridDim.x) / 2, block = static_cast<int>(blockIdx.x);
  if (block >= half) {
    values[(block - half) * blockDim.x + threadIdx.x] = block * 100 + static_cast<int>(threadIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) ready[block - half] = 1;
    return;
  }
  if (threadIdx.x == 0)
    while (ready[block] == 0) {
    }
  __syncthreads();
  const int i = block * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x);
  out[i] = values[i] + 1;
}

TEST(WaitingBlocks, ConsumeWhatLaterBlocksProduce) {
  DeviceArray<int> ready(std::vector<int>(blocks / 2, 0)), values(blocks / 2 * threads), out(blocks / 2 * threads);
  consume_what_later_blocks_produce<<<blocks, threads>>>(ready.get(), values, out);
  ASSERT_CUDA(cudaDeviceSynchronize());
  const auto host = out.host();
  for (int i = 0; i < blocks / 2 * threads; ++i) ASSERT_EQ(host[i], (blocks / 2 + i / threads) * 100 + i % threads + 1);
}

}  // namespace
