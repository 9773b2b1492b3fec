// Cooperative groups: ranks, barriers and exchanges of blocks, coalesced groups and the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

#include "device_array.h"

namespace cg = cooperative_groups;

namespace {

__global__ void block_facts(unsigned* out) {
  cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  unsigned* mine = out + (blockIdx.x * block.size() + rank) * 4;
  mine[0] = rank;
  mine[1] = block.num_threads();
  mine[2] = block.group_index().x;
  mine[3] = block.thread_index().x + 100 * block.thread_index().y + 10000 * block.thread_index().z +
            1000000 * (block.group_dim().z == block.dim_threads().z);
}

__device__ int sum_by_halving(cg::thread_group group, int* shared, int value) {
  const int rank = static_cast<int>(group.thread_rank());
  for (int half = static_cast<int>(group.size()) / 2; half > 0; half /= 2) {
    shared[rank] = value;
    group.sync();
    if (rank < half) value += shared[rank + half];
    cg::sync(group);
  }
  return value;
}

__global__ void sums(const int* in, int* of_block, int* of_tiles) {
  __shared__ int shared[128];
  const cg::thread_block block = cg::this_thread_block();
  const int total = sum_by_halving(block, shared, in[threadIdx.x]);
  if (block.thread_rank() == 0) *of_block = total;
  block.sync();
  const cg::thread_group tile = cg::tiled_partition(block, 16);
  const int part = sum_by_halving(tile, shared + threadIdx.x / 16 * 16, in[threadIdx.x]);
  if (tile.thread_rank() == 0) of_tiles[threadIdx.x / 16] = part;
}

__global__ void coalesced(int* out, unsigned* facts) {
  const int t = static_cast<int>(threadIdx.x);
  if (t % 3 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    facts[t * 5] = group.thread_rank();
    facts[t * 5 + 1] = group.size();
    facts[t * 5 + 2] = static_cast<unsigned>(group.shfl(t, 2));
    facts[t * 5 + 3] = group.ballot(t > 10);
    facts[t * 5 + 4] = static_cast<unsigned>(group.shfl_down(t, 1));
    out[t] = cg::reduce(group, t, cg::plus<int>());
  }
}

__global__ void partitions(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto labeled = cg::labeled_partition(warp, t % 5);
  out[t * 6] = static_cast<int>(labeled.size());
  out[t * 6 + 1] = cg::reduce(labeled, t, cg::plus<int>());
  out[t * 6 + 2] = static_cast<int>(labeled.thread_rank());
  const auto halves = cg::binary_partition(warp, t % 32 < 10);
  out[t * 6 + 3] = static_cast<int>(halves.size());
  out[t * 6 + 4] = cg::reduce(halves, t, cg::greater<int>());
  const auto pairs = cg::tiled_partition(halves, 2);
  out[t * 6 + 5] = static_cast<int>(pairs.shfl(t, 0));
}

__global__ void copy_tile(const int* in, int* out, int count) {
  __shared__ int shared[300];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, shared, in, sizeof(int) * static_cast<size_t>(count));
  cg::wait(block);
  for (int i = static_cast<int>(block.thread_rank()); i < count; i += static_cast<int>(block.size()))
    out[i] = shared[count - 1 - i];
}

__global__ void one_of_many(int* calls, int* got) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::invoke_one(tile, [=] { atomicAdd(calls, 1); });
  got[threadIdx.x] = cg::invoke_one_broadcast(tile, [=] { return atomicAdd(calls + 1, 10) + 5; });
}

__global__ void split_barrier(int* out) {
  __shared__ int values[64];
  auto block = cg::this_thread_block();
  values[threadIdx.x] = static_cast<int>(threadIdx.x) * 2;
  auto token = block.barrier_arrive();
  const int meanwhile = static_cast<int>(threadIdx.x) + 1000;
  block.barrier_wait(std::move(token));
  out[threadIdx.x] = values[63 - threadIdx.x] + meanwhile;
}

__global__ void grid_rounds(int* values, int rounds, unsigned long long* facts) {
  const cg::grid_group grid = cg::this_grid();
  const int count = static_cast<int>(grid.size()), me = static_cast<int>(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    int* from = values + round % 2 * count;
    int* to = values + (round + 1) % 2 * count;
    to[me] = from[(me + 1) % count] + from[(me + 7) % count];
    grid.sync();
  }
  if (me == count - 1) {
    facts[0] = grid.num_blocks();
    facts[1] = grid.block_rank();
    facts[2] = grid.num_threads();
    facts[3] = grid.group_dim().x * 100 + grid.group_dim().y;
    facts[4] = grid.is_valid();
  }
}

__global__ void alone_in_cluster(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned value;
  if (threadIdx.x == 0) value = blockIdx.x + 5;
  cluster.sync();
  if (threadIdx.x == 0)
    out[blockIdx.x] = *cluster.map_shared_rank(&value, 0) + 100 * cluster.num_blocks() + 1000 * cluster.block_rank();
}

TEST(CooperativeGroups, ABlockKnowsItsThreads) {
  const dim3 shape(4, 3, 2);
  DeviceArray<unsigned> out(2 * 24 * 4);
  block_facts<<<2, shape>>>(out);
  const auto host = out.host();
  for (unsigned b = 0; b < 2; ++b)
    for (unsigned t = 0; t < 24; ++t) {
      const unsigned* mine = &host[(b * 24 + t) * 4];
      EXPECT_EQ(mine[0], t);
      EXPECT_EQ(mine[1], 24u);
      EXPECT_EQ(mine[2], b);
      EXPECT_EQ(mine[3], t % 4 + 100 * (t / 4 % 3) + 10000 * (t / 12) + 1000000);
    }
}

TEST(CooperativeGroups, AFunctionTakesAnyGroup) {
  std::vector<int> in(128);
  for (int i = 0; i < 128; ++i) in[i] = i * 7 % 31;
  DeviceArray<int> device_in(in), of_block(1), of_tiles(8);
  sums<<<1, 128>>>(device_in, of_block, of_tiles);
  int total = 0;
  std::vector<int> parts(8);
  for (int i = 0; i < 128; ++i) total += in[i], parts[i / 16] += in[i];
  EXPECT_EQ(of_block.host()[0], total);
  EXPECT_EQ(of_tiles.host(), parts);
}

TEST(CooperativeGroups, LanesThatRunTogetherFormAGroup) {
  DeviceArray<int> out(32);
  DeviceArray<unsigned> facts(32 * 5);
  coalesced<<<1, 32>>>(out, facts);
  const auto o = out.host();
  const auto f = facts.host();
  std::vector<int> lanes;
  int sum = 0;
  unsigned ballot = 0;
  for (int t = 1; t < 32; t += 3) {
    ballot |= static_cast<unsigned>(t > 10) << lanes.size();
    lanes.push_back(t), sum += t;
  }
  for (unsigned rank = 0; rank < lanes.size(); ++rank) {
    const int t = lanes[rank];
    EXPECT_EQ(f[t * 5], rank);
    EXPECT_EQ(f[t * 5 + 1], lanes.size());
    EXPECT_EQ(f[t * 5 + 2], static_cast<unsigned>(lanes[2]));
    EXPECT_EQ(f[t * 5 + 3], ballot);
    EXPECT_EQ(f[t * 5 + 4], static_cast<unsigned>(rank + 1 < lanes.size() ? lanes[rank + 1] : t));
    EXPECT_EQ(o[t], sum);
  }
}

TEST(CooperativeGroups, LabelsPartitionAGroup) {
  DeviceArray<int> out(64 * 6);
  partitions<<<1, 64>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 64; ++t) {
    const int first = t / 32 * 32;
    int size = 0, sum = 0, rank = 0, half = 0, most = 0;
    for (int j = first; j < first + 32; ++j) {
      if (j % 5 == t % 5) ++size, sum += j, rank += j < t;
      if ((j % 32 < 10) == (t % 32 < 10)) ++half, most = j;
    }
    EXPECT_EQ(host[t * 6], size);
    EXPECT_EQ(host[t * 6 + 1], sum);
    EXPECT_EQ(host[t * 6 + 2], rank);
    EXPECT_EQ(host[t * 6 + 3], half);
    EXPECT_EQ(host[t * 6 + 4], most);
    EXPECT_EQ(host[t * 6 + 5], t / 2 * 2);
  }
}

TEST(CooperativeGroups, AGroupCopiesTogether) {
  std::vector<int> in(300);
  for (int i = 0; i < 300; ++i) in[i] = i * i;
  DeviceArray<int> device_in(in), out(300);
  copy_tile<<<1, 64>>>(device_in, out, 300);
  EXPECT_EQ(out.host(), std::vector<int>(in.rbegin(), in.rend()));
}

TEST(CooperativeGroups, OneThreadActsForItsGroup) {
  DeviceArray<int> calls(2), got(32);
  one_of_many<<<1, 32>>>(calls, got);
  EXPECT_EQ(got.host(), std::vector<int>(32, 5));
  EXPECT_EQ(calls.host(), (std::vector<int>{1, 10}));
}

TEST(CooperativeGroups, ABarrierSplitsIntoArriveAndWait) {
  DeviceArray<int> out(64);
  split_barrier<<<1, 64>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 64; ++t) EXPECT_EQ(host[t], (63 - t) * 2 + t + 1000);
}

TEST(CooperativeGroups, TheGridSynchronises) {
  constexpr int count = 4 * 2 * 64, rounds = 5;
  std::vector<int> values(2 * count);
  for (int i = 0; i < count; ++i) values[i] = i % 17;
  DeviceArray<int> device(values);
  DeviceArray<unsigned long long> facts(5);
  int* pointer = device;
  int round_count = rounds;
  unsigned long long* fact_pointer = facts;
  void* arguments[] = {&pointer, &round_count, &fact_pointer};
  ASSERT_CUDA(
      cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_rounds), dim3(4, 2), dim3(64), arguments, 0, nullptr));
  const auto host = device.host();
  for (int round = 0; round < rounds; ++round) {
    const int from = round % 2 * count, to = (round + 1) % 2 * count;
    for (int i = 0; i < count; ++i) values[to + i] = values[from + (i + 1) % count] + values[from + (i + 7) % count];
  }
  EXPECT_EQ(std::vector<int>(host.begin() + rounds % 2 * count, host.begin() + (rounds % 2 + 1) * count),
            std::vector<int>(values.begin() + rounds % 2 * count, values.begin() + (rounds % 2 + 1) * count));
  EXPECT_EQ(facts.host(), (std::vector<unsigned long long>{8, 7, count, 402, 1}));
}

TEST(CooperativeGroups, ABlockWithoutAClusterIsOneByItself) {
  DeviceArray<unsigned> out(3);
  alone_in_cluster<<<3, 32>>>(out);
  EXPECT_EQ(out.host(), (std::vector<unsigned>{105, 106, 107}));
}

}  // namespace
