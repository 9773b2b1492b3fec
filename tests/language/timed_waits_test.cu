// Threads that wait for a time to pass: all of them wait at the same time.
#include <algorithm>

#include "device_array.h"

namespace {

using Time = unsigned long long;

__device__ Time global_time() {
  Time time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}

constexpr Time millisecond = 1'000'000;
constexpr long long cycles = 20'000'000;

// When a thread's wait started and ended, and how long it was by the clock it waited for.
struct Wait {
  Time start, end, length;
};

// Threads that wait one after the other start when others have ended.
void expect_overlap(const std::vector<Wait>& waits) {
  Time last_start = 0, first_end = ~Time{0};
  for (const Wait& wait : waits) {
    EXPECT_LE(wait.start, wait.end);
    last_start = std::max(last_start, wait.start);
    first_end = std::min(first_end, wait.end);
  }
  EXPECT_LT(last_start, first_end);
}

__global__ void wait_for_cycles(Wait* waits) {
  Wait& wait = waits[threadIdx.x];
  wait.start = global_time();
  const long long start = clock64();
  long long passed = 0;
  while (passed < cycles) passed = clock64() - start;
  wait.length = clock64() - start;
  wait.end = global_time();
}

TEST(TimedWaits, ThreadsWaitForCyclesTogether) {
  DeviceArray<Wait> waits(1024);
  wait_for_cycles<<<1, 1024>>>(waits);
  for (const Wait& wait : waits.host()) EXPECT_GE(wait.length, cycles);
  expect_overlap(waits.host());
}

__global__ void wait_for_time(Wait* waits) {
  Wait& wait = waits[threadIdx.x];
  const Time asked = (threadIdx.x % 3 + 5) * millisecond;
  wait.start = global_time();
  do __nanosleep(100);
  while (global_time() - wait.start < asked);
  wait.end = global_time();
  wait.length = wait.end - wait.start;
}

TEST(TimedWaits, ThreadsWaitForDifferentTimesTogether) {
  DeviceArray<Wait> waits(256);
  wait_for_time<<<1, 256>>>(waits);
  const auto host = waits.host();
  for (unsigned t = 0; t < host.size(); ++t) EXPECT_GE(host[t].length, (t % 3 + 5) * millisecond);
  expect_overlap(host);
}

__global__ void wait_around_barrier(Wait* first, Wait* second) {
  auto wait = [](Wait& wait) {
    const Time start = global_time();
    while (global_time() < start + 5 * millisecond) {
    }
    wait = {start, global_time(), 0};
  };
  wait(first[threadIdx.x]);
  __syncthreads();
  wait(second[threadIdx.x]);
}

TEST(TimedWaits, WaitsAfterABarrierStartAfterThoseBeforeIt) {
  DeviceArray<Wait> first(96), second(96);
  wait_around_barrier<<<1, 96>>>(first, second);
  const auto before = first.host(), after = second.host();
  expect_overlap(before);
  expect_overlap(after);
  for (const Wait& earlier : before)
    for (const Wait& later : after) EXPECT_LE(earlier.end, later.start);
}

__global__ void wait_and_count(unsigned* counter, Wait* by_order) {
  const Time start = global_time();
  while (global_time() - start < millisecond) {
  }
  const Time before = global_time();
  const unsigned order = atomicAdd(counter, 1);
  by_order[order] = {before, global_time(), 0};
}

// A thread that sees another one's work does not see an earlier time than that one saw.
TEST(TimedWaits, TimeAgreesWithTheOrderOfAtomics) {
  DeviceArray<unsigned> counter(1);
  DeviceArray<Wait> by_order(4 * 64);
  wait_and_count<<<4, 64>>>(counter, by_order);
  const auto host = by_order.host();
  Time latest = 0;
  for (const Wait& each : host) {
    latest = std::max(latest, each.start);
    EXPECT_LE(latest, each.end);
  }
}

__global__ void wait_in_warps(Wait* waits, unsigned* sums) {
  unsigned sum = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  const Time start = global_time();
  while (global_time() - start < 5 * millisecond) {
  }
  waits[threadIdx.x] = {start, global_time(), 0};
  sums[threadIdx.x] = __shfl_sync(~0u, sum, 0);
}

TEST(TimedWaits, LanesWaitTogether) {
  DeviceArray<Wait> waits(64);
  DeviceArray<unsigned> sums(64);
  wait_in_warps<<<1, 64>>>(waits, sums);
  const auto all = waits.host();
  for (int warp : {0, 1}) expect_overlap({all.begin() + warp * 32, all.begin() + (warp + 1) * 32});
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(sums.host()[t], t < 32 ? 496u : 1520u);
}

}  // namespace
