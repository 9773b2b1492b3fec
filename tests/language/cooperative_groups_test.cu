// Cooperative groups: ranks, barriers and exchanges of blocks, tiles, coalesced groups and the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

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

template <unsigned Size>
__global__ void tile_facts(unsigned* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  unsigned* mine = out + threadIdx.x * 12;
  const unsigned rank = tile.thread_rank();
  mine[0] = rank;
  mine[1] = tile.size();
  mine[2] = tile.meta_group_rank();
  mine[3] = tile.meta_group_size();
  mine[4] = tile.shfl(threadIdx.x, Size - 1);
  mine[5] = tile.shfl_up(threadIdx.x, 1);
  mine[6] = tile.shfl_down(threadIdx.x, 2);
  mine[7] = tile.shfl_xor(threadIdx.x, Size / 2);
  mine[8] = tile.ballot(threadIdx.x % 3 == 0);
  mine[9] = tile.any(threadIdx.x == 17) * 2 + tile.all(threadIdx.x < 48);
  mine[10] = tile.match_any(threadIdx.x / 4);
  int equal;
  mine[11] = tile.match_all(threadIdx.x / 32, equal) * 2u + equal;
}

template <unsigned Size>
void check_tiles() {
  DeviceArray<unsigned> out(64 * 12);
  tile_facts<Size><<<1, 64>>>(out);
  const auto host = out.host();
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned* mine = &host[t * 12];
    const unsigned first = t / Size * Size, rank = t % Size;
    unsigned ballot = 0, match = 0;
    for (unsigned i = 0; i < Size; ++i) {
      ballot |= ((first + i) % 3 == 0) << i;
      match |= static_cast<unsigned>((first + i) / 4 == t / 4) << i;
    }
    EXPECT_EQ(mine[0], rank);
    EXPECT_EQ(mine[1], Size);
    EXPECT_EQ(mine[2], t / Size);
    EXPECT_EQ(mine[3], 64 / Size);
    EXPECT_EQ(mine[4], first + Size - 1);
    EXPECT_EQ(mine[5], rank == 0 ? t : t - 1);
    EXPECT_EQ(mine[6], rank + 2 < Size ? t + 2 : t);
    EXPECT_EQ(mine[7], t ^ (Size / 2));
    EXPECT_EQ(mine[8], ballot);
    EXPECT_EQ(mine[9], (17 / Size == t / Size) * 2u + (first + Size <= 48));
    EXPECT_EQ(mine[10], match);
    EXPECT_EQ(mine[11], static_cast<unsigned>((1ull << Size) - 1) * 2 + 1);
  }
}

TEST(CooperativeGroups, TilesOfAWarpExchangeValues) {
  check_tiles<2>();
  check_tiles<4>();
  check_tiles<8>();
  check_tiles<16>();
  check_tiles<32>();
}

struct Wide {
  double a;
  int b;
  char c;
};

__global__ void shuffle_structure(Wide* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const Wide mine{threadIdx.x * 1.5, static_cast<int>(threadIdx.x), static_cast<char>('a' + threadIdx.x)};
  out[threadIdx.x] = tile.shfl(mine, 3);
}

TEST(CooperativeGroups, AStructureIsShuffledWhole) {
  DeviceArray<Wide> out(16);
  shuffle_structure<<<1, 16>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 16; ++t) {
    const int from = t / 8 * 8 + 3;
    EXPECT_EQ(host[t].a, from * 1.5);
    EXPECT_EQ(host[t].b, from);
    EXPECT_EQ(host[t].c, 'a' + from);
  }
}

__global__ void nested_tiles(unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quarter = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<8> plain = quarter;
  out[threadIdx.x] = quarter.meta_group_rank() * 100 + plain.meta_group_size() * 10 + plain.thread_rank();
}

TEST(CooperativeGroups, ATileOfATileCountsWithinItsParent) {
  DeviceArray<unsigned> out(64);
  nested_tiles<<<1, 64>>>(out);
  const auto host = out.host();
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(host[t], t % 32 / 8 * 100 + 40 + t % 8);
}

struct Product {
  __device__ long long operator()(long long a, long long b) const { return a * b; }
};

template <unsigned Size>
__global__ void reductions(const int* in, int* ints, unsigned* bits, float* floats, double* doubles, long long* wide) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int value = in[threadIdx.x], t = static_cast<int>(threadIdx.x);
  ints[3 * t] = cg::reduce(tile, value, cg::plus<int>());
  ints[3 * t + 1] = cg::reduce(tile, value, cg::less<int>());
  ints[3 * t + 2] = cg::reduce(tile, value, cg::greater<int>());
  const unsigned word = static_cast<unsigned>(value) * 2654435761u;
  bits[3 * t] = cg::reduce(tile, word, cg::bit_and<unsigned>());
  bits[3 * t + 1] = cg::reduce(tile, word, cg::bit_or<unsigned>());
  bits[3 * t + 2] = cg::reduce(tile, word, cg::bit_xor<unsigned>());
  floats[t] = cg::reduce(tile, static_cast<float>(value), cg::plus<float>());
  doubles[t] = cg::reduce(tile, value * 0.5, cg::greater<double>());
  wide[t] = cg::reduce(tile, static_cast<long long>(value % 3 + 1), Product());
}

template <unsigned Size>
void check_reductions() {
  constexpr int threads = 256;
  std::vector<int> in(threads);
  for (int i = 0; i < threads; ++i) in[i] = (i * 37) % 101 - 50;
  DeviceArray<int> device_in(in), ints(3 * threads);
  DeviceArray<unsigned> bits(3 * threads);
  DeviceArray<float> floats(threads);
  DeviceArray<double> doubles(threads);
  DeviceArray<long long> wide(threads);
  reductions<Size><<<1, threads>>>(device_in, ints, bits, floats, doubles, wide);
  const auto i = ints.host();
  const auto b = bits.host();
  const auto f = floats.host();
  const auto d = doubles.host();
  const auto w = wide.host();
  for (int t = 0; t < threads; ++t) {
    int sum = 0, least = 1 << 30, most = -(1 << 30);
    unsigned all = ~0u, any = 0, parity = 0;
    long long product = 1;
    const int first = t / static_cast<int>(Size) * static_cast<int>(Size);
    for (int j = first; j < first + static_cast<int>(Size); ++j) {
      const unsigned word = static_cast<unsigned>(in[j]) * 2654435761u;
      sum += in[j], least = std::min(least, in[j]), most = std::max(most, in[j]);
      all &= word, any |= word, parity ^= word;
      product = static_cast<long long>(static_cast<unsigned long long>(product) *
                                       static_cast<unsigned long long>(in[j] % 3 + 1));
    }
    EXPECT_EQ(i[3 * t], sum);
    EXPECT_EQ(i[3 * t + 1], least);
    EXPECT_EQ(i[3 * t + 2], most);
    EXPECT_EQ(b[3 * t], all);
    EXPECT_EQ(b[3 * t + 1], any);
    EXPECT_EQ(b[3 * t + 2], parity);
    EXPECT_EQ(f[t], static_cast<float>(sum));
    EXPECT_EQ(d[t], most * 0.5);
    EXPECT_EQ(w[t], product);
  }
}

TEST(CooperativeGroups, TilesReduce) {
  check_reductions<4>();
  check_reductions<16>();
  check_reductions<32>();
}

TEST(CooperativeGroups, TilesWiderThanAWarpReduce) {
  check_reductions<64>();
  check_reductions<128>();
}

__global__ void wide_tiles(unsigned* out) {
  __shared__ unsigned values[256];
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  values[threadIdx.x] = threadIdx.x * 3;
  tile.sync();
  const unsigned first = threadIdx.x / 64 * 64;
  out[threadIdx.x * 4] = values[first + 63 - tile.thread_rank()];
  out[threadIdx.x * 4 + 1] = tile.meta_group_rank() * 10 + tile.meta_group_size();
  out[threadIdx.x * 4 + 2] = tile.shfl(threadIdx.x, 40);
  out[threadIdx.x * 4 + 3] = tile.any(threadIdx.x == 130) * 2 + tile.all(threadIdx.x < 192);
}

TEST(CooperativeGroups, TilesWiderThanAWarpSynchronise) {
  DeviceArray<unsigned> out(256 * 4);
  wide_tiles<<<1, 256>>>(out);
  const auto host = out.host();
  for (unsigned t = 0; t < 256; ++t) {
    EXPECT_EQ(host[t * 4], (t / 64 * 64 + 63 - t % 64) * 3);
    EXPECT_EQ(host[t * 4 + 1], t / 64 * 10 + 4);
    EXPECT_EQ(host[t * 4 + 2], t / 64 * 64 + 40);
    EXPECT_EQ(host[t * 4 + 3], (t / 64 == 2) * 2u + (t < 192));
  }
}

__global__ void scans(const int* in, int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int value = in[threadIdx.x];
  out[threadIdx.x * 4] = cg::inclusive_scan(tile, value);
  out[threadIdx.x * 4 + 1] = cg::exclusive_scan(tile, value);
  out[threadIdx.x * 4 + 2] = cg::inclusive_scan(tile, value, cg::greater<int>());
  out[threadIdx.x * 4 + 3] =
      static_cast<int>(cg::exclusive_scan(tile, static_cast<unsigned>(value), cg::bit_or<unsigned>()));
}

TEST(CooperativeGroups, TilesScan) {
  std::vector<int> in(64);
  for (int i = 0; i < 64; ++i) in[i] = (i * 29) % 53;
  DeviceArray<int> device_in(in), out(64 * 4);
  scans<<<1, 64>>>(device_in, out);
  const auto host = out.host();
  int sum = 0, most = 0;
  unsigned bits = 0;
  for (int t = 0; t < 64; ++t) {
    if (t % 16 == 0) sum = 0, most = 0, bits = 0;
    EXPECT_EQ(host[t * 4 + 1], sum);
    EXPECT_EQ(static_cast<unsigned>(host[t * 4 + 3]), bits);
    sum += in[t], most = std::max(most, in[t]), bits |= static_cast<unsigned>(in[t]);
    EXPECT_EQ(host[t * 4], sum);
    EXPECT_EQ(host[t * 4 + 2], most);
  }
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

__global__ void copy_tile(const int* in, int* out, int count) {
  __shared__ int shared[300];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, shared, in, sizeof(int) * static_cast<size_t>(count));
  cg::wait(block);
  for (int i = static_cast<int>(block.thread_rank()); i < count; i += static_cast<int>(block.size()))
    out[i] = shared[count - 1 - i];
}

TEST(CooperativeGroups, AGroupCopiesTogether) {
  std::vector<int> in(300);
  for (int i = 0; i < 300; ++i) in[i] = i * i;
  DeviceArray<int> device_in(in), out(300);
  copy_tile<<<1, 64>>>(device_in, out, 300);
  EXPECT_EQ(out.host(), std::vector<int>(in.rbegin(), in.rend()));
}

__global__ void one_of_many(int* calls, int* got) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  cg::invoke_one(tile, [=] { atomicAdd(calls, 1); });
  got[threadIdx.x] = cg::invoke_one_broadcast(tile, [=] { return atomicAdd(calls + 1, 10) + 5; });
}

TEST(CooperativeGroups, OneThreadActsForItsGroup) {
  DeviceArray<int> calls(2), got(32);
  one_of_many<<<1, 32>>>(calls, got);
  EXPECT_EQ(got.host(), std::vector<int>(32, 5));
  EXPECT_EQ(calls.host(), (std::vector<int>{1, 10}));
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

TEST(CooperativeGroups, ABarrierSplitsIntoArriveAndWait) {
  DeviceArray<int> out(64);
  split_barrier<<<1, 64>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 64; ++t) EXPECT_EQ(host[t], (63 - t) * 2 + t + 1000);
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

__global__ void alone_in_cluster(unsigned* out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ unsigned value;
  if (threadIdx.x == 0) value = blockIdx.x + 5;
  cluster.sync();
  if (threadIdx.x == 0)
    out[blockIdx.x] = *cluster.map_shared_rank(&value, 0) + 100 * cluster.num_blocks() + 1000 * cluster.block_rank();
}

TEST(CooperativeGroups, ABlockWithoutAClusterIsOneByItself) {
  DeviceArray<unsigned> out(3);
  alone_in_cluster<<<3, 32>>>(out);
  EXPECT_EQ(out.host(), (std::vector<unsigned>{105, 106, 107}));
}

}  // namespace
