// Barriers of a block: in straight-line code, loops, uniform branches, called functions, and with threads that have
// exited; barriers that reduce; fences and volatile.
#include <algorithm>

#include "device_array.h"

namespace {

__global__ void reduce(const int* in, int* out, int count) {
  __shared__ int partial[256];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  partial[threadIdx.x] = i < count ? in[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

TEST(Barriers, AReductionInALoop) {
  std::vector<int> in(1000);
  for (int i = 0; i < 1000; ++i) in[i] = i * 31 % 97 - 40;
  DeviceArray<int> device_in(in), out(4);
  reduce<<<4, 256>>>(device_in, out, 1000);
  std::vector<int> expected(4);
  for (int i = 0; i < 1000; ++i) expected[i / 256] += in[i];
  EXPECT_EQ(out.host(), expected);
}

__global__ void scan(const int* in, int* out) {
  __shared__ int buffer[2][128];
  int from = 0;
  buffer[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const int value = buffer[from][threadIdx.x];
    buffer[1 - from][threadIdx.x] = threadIdx.x >= distance ? value + buffer[from][threadIdx.x - distance] : value;
    from = 1 - from;
    __syncthreads();
  }
  out[threadIdx.x] = buffer[from][threadIdx.x];
}

TEST(Barriers, AScanWithTwoBuffers) {
  std::vector<int> in(128), expected(128);
  for (int i = 0; i < 128; ++i) in[i] = i % 7 - 2, expected[i] = in[i] + (i ? expected[i - 1] : 0);
  DeviceArray<int> device_in(in), out(128);
  scan<<<1, 128>>>(device_in, out);
  EXPECT_EQ(out.host(), expected);
}

constexpr int tile = 16;
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[tile][tile], tile_b[tile][tile + 1];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < tile; ++j) sum += tile_a[threadIdx.y][j] * tile_b[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

TEST(Barriers, MatricesInTiles) {
  const int n = 48;
  std::vector<float> a(n * n), b(n * n), expected(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 13 - 6), b[i] = static_cast<float>(i % 7 - 3);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) expected[i * n + j] += a[i * n + k] * b[k * n + j];
  DeviceArray<float> device_a(a), device_b(b), c(n * n);
  multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(device_a, device_b, c, n);
  EXPECT_EQ(c.host(), expected);
}

__global__ void branch_together(const int* modes, int* out) {
  __shared__ int values[64];
  const int t = static_cast<int>(threadIdx.x), mode = modes[blockIdx.x];
  values[t] = t + mode;
  if (mode > 0) {
    __syncthreads();
    int next = values[(t + 1) % 64];
    __syncthreads();
    if (mode > 1) {
      values[t] = next;
      __syncthreads();
      next += values[(t + 1) % 64];
    }
    out[blockIdx.x * 64 + t] = next;
  } else {
    out[blockIdx.x * 64 + t] = -t;
  }
}

TEST(Barriers, InBranchesThatTheWholeBlockTakes) {
  DeviceArray<int> modes(std::vector<int>{0, 1, 2, 1}), out(4 * 64);
  branch_together<<<4, 64>>>(modes, out);
  const auto host = out.host();
  const int mode[] = {0, 1, 2, 1};
  for (int b = 0; b < 4; ++b)
    for (int t = 0; t < 64; ++t) {
      const int next = (t + 1) % 64 + mode[b], after = (t + 2) % 64 + mode[b];
      EXPECT_EQ(host[b * 64 + t], mode[b] == 0 ? -t : mode[b] == 1 ? next : next + after);
    }
}

__device__ int exchange(int* shared, int value, int partner) {
  shared[threadIdx.x] = value;
  __syncthreads();
  const int other = shared[partner];
  __syncthreads();
  return other;
}
__device__ __noinline__ int exchange_often(int* shared, int value, int times) {
  for (int i = 0; i < times; ++i) value = exchange(shared, value, static_cast<int>((threadIdx.x + 1) % blockDim.x)) + i;
  return value;
}
__global__ void call_with_barriers(int* out) {
  __shared__ int shared[96];
  out[threadIdx.x] = exchange_often(shared, static_cast<int>(threadIdx.x) * 10, 5);
}

TEST(Barriers, InFunctionsThatTheKernelCalls) {
  DeviceArray<int> out(96);
  call_with_barriers<<<1, 96>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 96; ++t) EXPECT_EQ(host[t], (t + 5) % 96 * 10 + 10);
}

__global__ void leave_early(int* out, int stay) {
  __shared__ int values[128];
  const int t = static_cast<int>(threadIdx.x);
  values[t] = t;
  if (t >= stay) return;
  __syncthreads();
  out[t] = values[stay - 1 - t];
  __syncthreads();
  values[t] = out[t] * 2;
  __syncthreads();
  out[t] += values[(t + 1) % stay];
}

TEST(Barriers, ThreadsThatHaveEndedAreNotWaitedFor) {
  for (int stay : {128, 100, 33, 1}) {
    DeviceArray<int> out(128, -1);
    leave_early<<<1, 128>>>(out, stay);
    const auto host = out.host();
    for (int t = 0; t < 128; ++t) {
      const int next = (t + 1) % stay;
      EXPECT_EQ(host[t], t < stay ? stay - 1 - t + 2 * (stay - 1 - next) : -1) << stay << " " << t;
    }
  }
}

__global__ void predicates(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  int* mine = out + t * 5;
  mine[0] = __syncthreads_count(t % 3 == 0);
  mine[1] = __syncthreads_and(t < 50);
  mine[2] = __syncthreads_and(t < 500);
  mine[3] = __syncthreads_or(t == 77);
  mine[4] = __syncthreads_or(t == 777);
}

TEST(Barriers, BarriersThatCountAndVote) {
  DeviceArray<int> out(100 * 5);
  predicates<<<1, 100>>>(out);
  const auto host = out.host();
  for (int t = 0; t < 100; ++t) {
    EXPECT_EQ(host[t * 5], 34);
    EXPECT_EQ(host[t * 5 + 1], 0);
    EXPECT_NE(host[t * 5 + 2], 0);
    EXPECT_NE(host[t * 5 + 3], 0);
    EXPECT_EQ(host[t * 5 + 4], 0);
  }
}

__global__ void repeat_until_done(int* values, int* rounds) {
  const int t = static_cast<int>(threadIdx.x);
  int mine = values[t], count = 0;
  while (__syncthreads_or(mine > 0)) {
    mine -= 3;
    ++count;
  }
  values[t] = mine;
  rounds[t] = count;
}

TEST(Barriers, ALoopThatAllThreadsLeaveTogether) {
  std::vector<int> values(70);
  for (int i = 0; i < 70; ++i) values[i] = i;
  DeviceArray<int> device(values), rounds(70);
  repeat_until_done<<<1, 70>>>(device, rounds);
  EXPECT_EQ(rounds.host(), std::vector<int>(70, 23));
  for (int i = 0; i < 70; ++i) EXPECT_EQ(device.host()[i], i - 69);
}

// The last block to finish adds up what the others left, as in reductions in one launch.
__device__ unsigned finished = 0;
__global__ void last_block_sums(const int* in, volatile int* partial, int* out, int per_block) {
  __shared__ int sum;
  __shared__ bool last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) atomicAdd(&sum, in[blockIdx.x * per_block + i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
    *out = total;
  }
}

TEST(Barriers, FencesBetweenBlocks) {
  std::vector<int> in(50 * 64);
  int expected = 0;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 11), expected += in[i];
  DeviceArray<int> device_in(in), partial(50), out(1);
  for (int repeat = 0; repeat < 3; ++repeat) {
    last_block_sums<<<50, 32>>>(device_in, partial.get(), out, 64);
    EXPECT_EQ(out.host()[0], expected);
  }
}

__global__ void pass_messages(volatile int* mailbox, volatile int* ready, int* out) {
  const int t = static_cast<int>(threadIdx.x);
  if (t == 0) {
    mailbox[0] = 99;
    __threadfence_block();
    ready[0] = 1;
  }
  if (t == 32) {
    while (ready[0] == 0) {
    }
    __threadfence_block();
    out[0] = mailbox[0];
  }
}

TEST(Barriers, AWarpSpinsOnAnotherOfItsBlock) {
  DeviceArray<int> mailbox(1), ready(1), out(1);
  pass_messages<<<1, 64>>>(mailbox.get(), ready.get(), out);
  EXPECT_EQ(out.host()[0], 99);
}

// The middle one of three warps goes first, the last one after the first.
template <bool by_vote>
__global__ void pass_messages_between_warps(int* flag, int* out) {
  const int warp = static_cast<int>(threadIdx.x) / 32, wanted = warp == 0 ? 1 : 2;
  if (by_vote && warp != 1) {
    while (!__any_sync(~0u, *static_cast<volatile int*>(flag) >= wanted)) {
    }
  }
  if (!by_vote && warp != 1) {
    int seen;
    do {
      seen = 0;
      if (threadIdx.x % 32 == 0) seen = atomicAdd(flag, 0);
      seen = __shfl_sync(~0u, seen, 0);
    } while (seen < wanted);
  }
  __syncwarp();
  if (threadIdx.x % 32 == 0) out[warp] = atomicAdd(flag, 1);
}

TEST(Barriers, AWarpWaitsForAnotherByWarpOperations) {
  for (auto kernel : {pass_messages_between_warps<true>, pass_messages_between_warps<false>}) {
    DeviceArray<int> flag(1), out(3);
    kernel<<<1, 96>>>(flag, out);
    EXPECT_EQ(out.host(), (std::vector<int>{1, 0, 2}));
  }
}

}  // namespace
