// Warp operations: shuffles of every type and width, votes, match, reduce, masks, divergence.
#include <algorithm>
#include <cstring>

#include "device_array.h"

namespace {

constexpr unsigned full = 0xffffffffu;

template <class T>
__global__ void shuffle(const T* in, T* out, int width) {
  const int t = static_cast<int>(threadIdx.x);
  const T value = in[t];
  out[t * 5] = __shfl_sync(full, value, 3, width);
  out[t * 5 + 1] = __shfl_up_sync(full, value, 2, width);
  out[t * 5 + 2] = __shfl_down_sync(full, value, 5, width);
  out[t * 5 + 3] = __shfl_xor_sync(full, value, 1, width);
  out[t * 5 + 4] = __shfl_sync(full, value, t * 7 + 40, width);
}

template <class T>
void check_shuffle() {
  std::vector<T> in(64);
  for (int i = 0; i < 64; ++i) in[i] = static_cast<T>(i * 1000003 + 17);
  DeviceArray<T> device_in(in), out(64 * 5);
  for (int width : {32, 16, 8, 4, 2}) {
    shuffle<T><<<1, 64>>>(device_in, out, width);
    const auto host = out.host();
    for (int t = 0; t < 64; ++t) {
      const int segment = t / width * width, lane = t % width;
      EXPECT_EQ(host[t * 5], in[segment + 3 % width]);
      EXPECT_EQ(host[t * 5 + 1], in[lane >= 2 ? t - 2 : t]);
      EXPECT_EQ(host[t * 5 + 2], in[lane + 5 < width ? t + 5 : t]);
      EXPECT_EQ(host[t * 5 + 3], in[t ^ 1]);
      EXPECT_EQ(host[t * 5 + 4], in[segment + (t * 7 + 40) % width]);
    }
  }
}

TEST(Warp, ShufflesOfEveryTypeAndWidth) {
  check_shuffle<int>();
  check_shuffle<unsigned>();
  check_shuffle<long>();
  check_shuffle<unsigned long>();
  check_shuffle<long long>();
  check_shuffle<unsigned long long>();
  check_shuffle<float>();
  check_shuffle<double>();
}

__global__ void reduce_by_shuffles(const float* in, float* out, double* doubles) {
  float sum = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(full, sum, offset);
  double everywhere = in[threadIdx.x];
  for (int lanes = 1; lanes < 32; lanes *= 2) everywhere += __shfl_xor_sync(full, everywhere, lanes);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
  doubles[threadIdx.x] = everywhere;
}

TEST(Warp, ReductionsByShuffles) {
  std::vector<float> in(96), sums(3);
  for (int i = 0; i < 96; ++i) in[i] = static_cast<float>(i * 5 % 23), sums[i / 32] += in[i];
  DeviceArray<float> device_in(in), out(3);
  DeviceArray<double> doubles(96);
  reduce_by_shuffles<<<1, 96>>>(device_in, out, doubles);
  EXPECT_EQ(out.host(), sums);
  for (int i = 0; i < 96; ++i) EXPECT_EQ(doubles.host()[i], sums[i / 32]);
}

__global__ void scan_by_shuffles(const int* in, int* out) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  int value = in[threadIdx.x];
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(full, value, distance);
    if (lane >= distance) value += before;
  }
  out[threadIdx.x] = value;
}

TEST(Warp, ScansByShuffles) {
  std::vector<int> in(64), expected(64);
  for (int i = 0; i < 64; ++i) in[i] = i % 9, expected[i] = in[i] + (i % 32 ? expected[i - 1] : 0);
  DeviceArray<int> device_in(in), out(64);
  scan_by_shuffles<<<1, 64>>>(device_in, out);
  EXPECT_EQ(out.host(), expected);
}

__global__ void vote(const int* in, unsigned* out) {
  const int value = in[threadIdx.x];
  unsigned* mine = out + threadIdx.x * 6;
  mine[0] = __ballot_sync(full, value % 2);
  mine[1] = static_cast<unsigned>(__any_sync(full, value == 40));
  mine[2] = static_cast<unsigned>(__all_sync(full, value < 1000));
  mine[3] = static_cast<unsigned>(__all_sync(full, value != 40));
  mine[4] = __activemask();
  mine[5] = static_cast<unsigned>(__any_sync(full, 0));
}

TEST(Warp, Votes) {
  std::vector<int> in(64);
  for (int i = 0; i < 64; ++i) in[i] = i * i % 59;
  in[50] = 40;
  std::replace(in.begin(), in.begin() + 32, 40, 41);
  DeviceArray<int> device_in(in);
  DeviceArray<unsigned> out(64 * 6);
  vote<<<1, 64>>>(device_in, out);
  const auto host = out.host();
  for (int t = 0; t < 64; ++t) {
    unsigned odd = 0;
    for (int lane = 0; lane < 32; ++lane) odd |= static_cast<unsigned>(in[t / 32 * 32 + lane] % 2) << lane;
    const unsigned* mine = &host[t * 6];
    EXPECT_EQ(mine[0], odd);
    EXPECT_EQ(mine[1] != 0, t >= 32);
    EXPECT_NE(mine[2], 0u);
    EXPECT_EQ(mine[3] != 0, t < 32);
    EXPECT_EQ(mine[4], full);
    EXPECT_EQ(mine[5], 0u);
  }
}

template <class T>
__global__ void match(const T* in, unsigned* out) {
  int all_equal = -1;
  out[threadIdx.x * 4] = __match_any_sync(full, in[threadIdx.x]);
  out[threadIdx.x * 4 + 1] = __match_all_sync(full, in[threadIdx.x], &all_equal);
  out[threadIdx.x * 4 + 2] = static_cast<unsigned>(all_equal != 0);
  out[threadIdx.x * 4 + 3] = __match_all_sync(full, in[threadIdx.x / 32], &all_equal) ^ (all_equal != 0 ? 0u : 1u);
}

template <class T>
void check_match() {
  std::vector<T> in(32);
  for (int i = 0; i < 32; ++i) in[i] = static_cast<T>(i % 5) * static_cast<T>(1 << 20);
  DeviceArray<T> device_in(in);
  DeviceArray<unsigned> out(32 * 4);
  match<T><<<1, 32>>>(device_in, out);
  const auto host = out.host();
  for (int t = 0; t < 32; ++t) {
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane) same |= static_cast<unsigned>(in[lane] == in[t]) << lane;
    EXPECT_EQ(host[t * 4], same);
    EXPECT_EQ(host[t * 4 + 1], 0u);
    EXPECT_EQ(host[t * 4 + 2], 0u);
    EXPECT_EQ(host[t * 4 + 3], full);
  }
}

TEST(Warp, MatchOfEveryType) {
  check_match<int>();
  check_match<unsigned>();
  check_match<unsigned long long>();
  check_match<float>();
  check_match<double>();
}

__global__ void reduce_at_once(const int* in, unsigned* out) {
  const int value = in[threadIdx.x];
  const unsigned word = static_cast<unsigned>(value) * 2654435761u;
  unsigned* mine = out + threadIdx.x * 8;
  mine[0] = static_cast<unsigned>(__reduce_add_sync(full, value));
  mine[1] = static_cast<unsigned>(__reduce_min_sync(full, value));
  mine[2] = static_cast<unsigned>(__reduce_max_sync(full, value));
  mine[3] = __reduce_min_sync(full, word);
  mine[4] = __reduce_max_sync(full, word);
  mine[5] = __reduce_and_sync(full, word | 0xf0u);
  mine[6] = __reduce_or_sync(full, word);
  mine[7] = __reduce_xor_sync(full, word);
}

TEST(Warp, ReductionsAtOnce) {
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[i] = i * 77 % 101 - 50;
  int sum = 0, least = 1000, most = -1000;
  unsigned low = ~0u, high = 0, all = ~0u, any = 0, parity = 0;
  for (int value : in) {
    const unsigned word = static_cast<unsigned>(value) * 2654435761u;
    sum += value, least = std::min(least, value), most = std::max(most, value);
    low = std::min(low, word), high = std::max(high, word), all &= word | 0xf0u, any |= word, parity ^= word;
  }
  DeviceArray<int> device_in(in);
  DeviceArray<unsigned> out(32 * 8);
  reduce_at_once<<<1, 32>>>(device_in, out);
  const auto host = out.host();
  const unsigned expected[] = {unsigned(sum), unsigned(least), unsigned(most), low, high, all, any, parity};
  for (int t = 0; t < 32; ++t)
    for (int i = 0; i < 8; ++i) EXPECT_EQ(host[t * 8 + i], expected[i]) << i;
}

__global__ void parts_of_a_warp(int* out, unsigned* masks) {
  const int t = static_cast<int>(threadIdx.x);
  if (t < 12) {
    out[t] = __shfl_sync(0xfffu, t * 2, 11 - t);
    masks[t] = __ballot_sync(0xfffu, t % 3 == 0);
    __syncwarp(0xfffu);
  } else {
    out[t] = __shfl_down_sync(0xfffff000u, t * 3, 1);
    masks[t] = __activemask() & 0xfffff000u;
    out[t] += __reduce_add_sync(0xfffff000u, 1);
  }
}

TEST(Warp, BranchesWithMasksOfTheirOwn) {
  DeviceArray<int> out(32);
  DeviceArray<unsigned> masks(32);
  parts_of_a_warp<<<1, 32>>>(out, masks);
  const auto o = out.host();
  const auto m = masks.host();
  for (int t = 0; t < 12; ++t) {
    EXPECT_EQ(o[t], (11 - t) * 2);
    EXPECT_EQ(m[t], 0x249u);
  }
  for (int t = 12; t < 32; ++t) {
    EXPECT_EQ(o[t], (t < 31 ? t + 1 : t) * 3 + 20);
    EXPECT_NE(m[t] & 1u << t, 0u);
  }
}

__global__ void exchange_through_shared(int* out) {
  __shared__ int values[64];
  const int t = static_cast<int>(threadIdx.x);
  int value = t;
  for (int round = 0; round < 4; ++round) {
    values[t] = value;
    __syncwarp();
    value = values[t ^ 1 << round] + 1;
    __syncwarp();
  }
  out[t] = value;
}

TEST(Warp, SynchronisedThroughSharedMemory) {
  DeviceArray<int> out(64);
  exchange_through_shared<<<1, 64>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 64; ++t) EXPECT_EQ(host[t], (t ^ 15) + 4);
}

__global__ void incomplete_warp(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  const unsigned mask = __ballot_sync(full >> (t < 32 ? 0 : 12), t < 1000);
  out[t] = __popc(mask) * 100 + __shfl_sync(mask, t, 0);
}

TEST(Warp, TheLastWarpOfABlockMayBeShort) {
  DeviceArray<int> out(52);
  incomplete_warp<<<1, 52>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 52; ++t) EXPECT_EQ(host[t], t < 32 ? 3200 : 2032);
}

__global__ void loop_per_warp(int* out) {
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  int value = lane;
  for (int i = 0; i <= warp; ++i) value = __shfl_sync(full, value, (lane + 1) % 32) + 1;
  out[threadIdx.x] = value;
}

TEST(Warp, WarpsOfABlockLoopDifferently) {
  DeviceArray<int> out(128);
  loop_per_warp<<<1, 128>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 128; ++t) EXPECT_EQ(host[t], (t % 32 + t / 32 + 1) % 32 + t / 32 + 1);
}

// One addition for all lanes that want one: the usual aggregated atomic.
__global__ void compact(const int* in, int* out, int* count, int total) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= total || in[i] % 3 != 0) return;
  const unsigned active = __activemask();
  const int lane = static_cast<int>(threadIdx.x % 32), leader = __ffs(static_cast<int>(active)) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(count, __popc(active));
  base = __shfl_sync(active, base, leader);
  out[base + __popc(active & ((1u << lane) - 1))] = in[i];
}

TEST(Warp, AggregatedAtomics) {
  std::vector<int> in(500), expected;
  for (int i = 0; i < 500; ++i) in[i] = i * 37 % 1009;
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), [](int x) { return x % 3 == 0; });
  DeviceArray<int> device_in(in), out(500), count(1);
  compact<<<4, 128>>>(device_in, out, count, 500);
  ASSERT_EQ(count.host()[0], static_cast<int>(expected.size()));
  auto host = out.host();
  host.resize(expected.size());
  std::sort(host.begin(), host.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(host, expected);
}

// Lanes that diverge and reconverge. LLVM duplicates such a short block between two branches, including its calls.
__global__ void together_again(unsigned* out) {
  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
  if (t % 2 == 1) out[t] = 1;
  const unsigned active = __activemask();
  if (t < 40) out[t] = active;
}

// LLVM merges two identical ends.
__global__ void apart(unsigned* out) {
  const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
  if (t % 2 == 1) {
    out[t + 40] = 1;
    out[t] = __activemask();
  } else {
    out[t + 40] = 2;
    out[t] = __activemask();
  }
}

TEST(Warp, ActiveLanesOfAPartialWarp) {
  DeviceArray<unsigned> together(40), each(80);
  together_again<<<1, dim3(5, 8)>>>(together);
  apart<<<1, dim3(5, 8)>>>(each);
  for (int t = 0; t < 40; ++t) {
    const unsigned warp = t < 32 ? full : 0xffu;
    EXPECT_EQ(together.host()[t], warp) << t;
    EXPECT_EQ(each.host()[t], warp & (t % 2 == 1 ? 0xaaaaaaaau : 0x55555555u)) << t;
  }
}

// As programs wrote it before there was __syncwarp: lanes of a warp exchange values through volatile shared memory.
__device__ void add_up(volatile int* values, int t) {
  values[t] += values[t + 32];
  values[t] += values[t + 16];
  values[t] += values[t + 8];
  values[t] += values[t + 4];
  values[t] += values[t + 2];
  values[t] += values[t + 1];
}

__global__ void add_up_without_waiting(const int* in, int* sums) {
  __shared__ int values[128];
  const int t = static_cast<int>(threadIdx.x);
  values[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  if (t < 64) values[t] += values[t + 64];
  __syncthreads();
  if (t < 32) add_up(values, t);
  if (t == 0) sums[blockIdx.x] = values[0];
}

__global__ void scan_without_waiting(const int* in, int* out) {
  __shared__ volatile int values[4][48];
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  volatile int* own = values[warp] + 16;
  own[lane - 16] = 0;
  own[lane] = in[threadIdx.x];
  for (int distance = 1; distance < 32; distance *= 2) own[lane] += own[lane - distance];
  if (lane % 2 == 1) own[lane] -= own[lane - 1];
  out[threadIdx.x] = own[lane];
}

TEST(Warp, InStepThroughVolatileMemory) {
  std::vector<int> in(5 * 128);
  for (int i = 0; i < 5 * 128; ++i) in[i] = i * 7 % 31;
  DeviceArray<int> device(in), sums(5), scanned(128);
  add_up_without_waiting<<<5, 128>>>(device, sums);
  scan_without_waiting<<<1, 128>>>(device, scanned);
  for (int b = 0; b < 5; ++b) {
    int expected = 0;
    for (int i = 0; i < 128; ++i) expected += in[b * 128 + i];
    EXPECT_EQ(sums.host()[b], expected) << b;
  }
  const auto result = scanned.host();
  for (int i = 0, sum = 0; i < 128; ++i) {
    sum = i % 32 == 0 ? in[i] : sum + in[i];
    EXPECT_EQ(result[i], i % 2 == 0 ? sum : in[i]) << i;
  }
}

// The sum over eight warps, as in the last step of many reductions: 24 lanes take no part, or have exited.
template <bool Ended>
__global__ void sum_of_few(const int* in, int* out, float* single, double* wide) {
  const unsigned t = threadIdx.x;
  int sum = in[t];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (Ended && t >= 8) return;
  if (t < 8) {
    float f = static_cast<float>(sum = in[t]);
    double d = sum;
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xff, sum, offset);
      f += __shfl_down_sync(0xff, f, offset);
      d += __shfl_down_sync(0xff, d, offset);
    }
    if (t == 0) {
      out[0] = sum;
      *single = f;
      *wide = d;
    }
    out[1 + t] = __shfl_sync(0xff, sum + 1, 8 + t);
  }
}

TEST(WarpShuffle, LanesThatTakeNoPartGiveZero) {
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[i] = i * i + 1;
  DeviceArray<int> device(in), out(9, -1);
  DeviceArray<float> single(1);
  DeviceArray<double> wide(1);
  for (bool ended : {false, true}) {
    if (ended)
      sum_of_few<true><<<1, 32>>>(device, out, single, wide);
    else
      sum_of_few<false><<<1, 32>>>(device, out, single, wide);
    const auto host = out.host();
    EXPECT_EQ(host[0], 148);
    EXPECT_EQ(single.host()[0], 148.0f);
    EXPECT_EQ(wide.host()[0], 148.0);
    for (int i = 1; i <= 8; ++i) EXPECT_EQ(host[i], 0);
  }
}

}  // namespace
