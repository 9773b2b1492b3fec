// Cooperative launches: all blocks at once, and a barrier across the grid.
#include <cooperative_groups.h>

#include "support.h"

namespace cg = cooperative_groups;

__global__ void sum_neighbours(int* in, int* out, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned count = gridDim.x * blockDim.x;
  for (int i = 0; i < rounds; ++i) {
    out[index] = in[index] + in[(index + 1) % count];
    grid.sync();
    int* swapped = in;
    in = out;
    out = swapped;
  }
}
__global__ void grid_facts(unsigned long long* out) {
  cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() == 0) {
    out[0] = grid.is_valid();
    out[1] = grid.size();
    out[2] = grid.group_dim().x;
  }
}
__global__ void nothing() {}

using Cooperative = Runtime;

TEST_F(Cooperative, TheGridBarrierOrdersEveryBlock) {
  const int blocks = 4, threads = 64, rounds = 5;
  DeviceArray<int> in(blocks * threads), out(blocks * threads);
  std::vector<int> ones(blocks * threads, 1);
  MUST(cudaMemcpy(in.get(), ones.data(), in.bytes(), cudaMemcpyHostToDevice));
  int *from = in.get(), *to = out.get(), count = rounds;
  void* arguments[] = {&from, &to, &count};
  ASK(cudaSuccess, cudaLaunchCooperativeKernel(sum_neighbours, dim3(blocks), dim3(threads), arguments));
  const auto seen = out.read();
  for (int value : seen) EXPECT_EQ(1 << rounds, value);
}

TEST_F(Cooperative, TheGridIsValid) {
  DeviceArray<unsigned long long> out(3);
  unsigned long long* pointer = out.get();
  void* arguments[] = {&pointer};
  MUST(cudaLaunchCooperativeKernel(grid_facts, dim3(2), dim3(32), arguments));
  const auto seen = out.read();
  ASK_VALUE(1u, seen[0]);
  ASK_VALUE(64u, seen[1]);
  ASK_VALUE(2u, seen[2]);
}

// According to the documentation, is_valid() tells whether the grid can synchronize.
TEST_F(Cooperative, TheGridOfAnOrdinaryLaunchSaysThatItIsValidToo) {
  DeviceArray<unsigned long long> out(3);
  grid_facts<<<2, 32>>>(out.get());
  ASK_VALUE(1u, out.read()[0]);
}

TEST_F(Cooperative, AsManyBlocksAsFitAndNoMore) {
  int per_processor = 0, processors = 0;
  MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, nothing, 256, 0));
  MUST(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  const unsigned most = per_processor * processors;
  ASK(cudaSuccess, cudaLaunchCooperativeKernel(nothing, dim3(most), dim3(256), nullptr));
  ASK(cudaErrorCooperativeLaunchTooLarge, cudaLaunchCooperativeKernel(nothing, dim3(most + 1), dim3(256), nullptr));
  ASK(cudaErrorCooperativeLaunchTooLarge, cudaGetLastError());
}

TEST_F(Cooperative, WrongConfigurations) {
  ASK(cudaErrorInvalidValue, cudaLaunchCooperativeKernel(nothing, dim3(0), dim3(1), nullptr));
  ASK(cudaErrorInvalidValue, cudaLaunchCooperativeKernel(nothing, dim3(1), dim3(1025), nullptr));
  ASK(cudaErrorCooperativeLaunchTooLarge,
      cudaLaunchCooperativeKernel(nothing, dim3(1), dim3(1), nullptr, size_t{1} << 30));
  ASK(cudaErrorInvalidDeviceFunction,
      cudaLaunchCooperativeKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), nullptr, 0, nullptr));
}

TEST_F(Cooperative, ByAttributeIsTheSame) {
  DeviceArray<unsigned long long> out(3);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(2);
  config.blockDim = dim3(32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  ASK(cudaSuccess, cudaLaunchKernelEx(&config, grid_facts, out.get()));
  ASK_VALUE(1u, out.read()[0]);
}
