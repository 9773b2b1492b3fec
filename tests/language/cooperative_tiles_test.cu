// Tiles of cooperative groups: exchanges, reductions, scans and barriers.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "device_array.h"

namespace cg = cooperative_groups;

namespace {

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

__global__ void nested_tiles(unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quarter = cg::tiled_partition<8>(warp);
  const cg::thread_block_tile<8> plain = quarter;
  out[threadIdx.x] = quarter.meta_group_rank() * 100 + plain.meta_group_size() * 10 + plain.thread_rank();
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

__global__ void scans(const int* in, int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int value = in[threadIdx.x];
  out[threadIdx.x * 4] = cg::inclusive_scan(tile, value);
  out[threadIdx.x * 4 + 1] = cg::exclusive_scan(tile, value);
  out[threadIdx.x * 4 + 2] = cg::inclusive_scan(tile, value, cg::greater<int>());
  out[threadIdx.x * 4 + 3] =
      static_cast<int>(cg::exclusive_scan(tile, static_cast<unsigned>(value), cg::bit_or<unsigned>()));
}

TEST(CooperativeGroups, TilesOfAWarpExchangeValues) {
  check_tiles<2>();
  check_tiles<4>();
  check_tiles<8>();
  check_tiles<16>();
  check_tiles<32>();
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

TEST(CooperativeGroups, ATileOfATileCountsWithinItsParent) {
  DeviceArray<unsigned> out(64);
  nested_tiles<<<1, 64>>>(out);
  const auto host = out.host();
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(host[t], t % 32 / 8 * 100 + 40 + t % 8);
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

}  // namespace
