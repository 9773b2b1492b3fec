// Atomics: every function, type and scope; loops of compare-and-swap; shared memory.
#include <algorithm>
#include <numeric>

#include "device_array.h"

namespace {

constexpr int blocks = 7, threads = 96, total = blocks * threads;

// Three scopes of one function, each on its own memory.
template <class T>
__global__ void add_all(T* sums, const T* values, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    atomicAdd(&sums[0], values[i]);
    atomicAdd_system(&sums[1], values[i]);
    atomicAdd_block(&sums[2 + blockIdx.x], values[i]);
  }
}

template <class T>
void check_add() {
  std::vector<T> values(total);
  for (int i = 0; i < total; ++i) values[i] = static_cast<T>(i % 50 - 10);
  DeviceArray<T> device(values), sums(2 + blocks, T(3));
  add_all<T><<<blocks, threads>>>(sums, device, total);
  T expected = T(3), of_blocks = 0;
  for (T value : values) expected = static_cast<T>(expected + value);
  const auto host = sums.host();
  EXPECT_EQ(host[0], expected);
  EXPECT_EQ(host[1], expected);
  for (int b = 0; b < blocks; ++b) of_blocks = static_cast<T>(of_blocks + host[2 + b] - T(3));
  EXPECT_EQ(of_blocks, static_cast<T>(expected - T(3)));
}

TEST(Atomics, AdditionOfEveryType) {
  check_add<int>();
  check_add<unsigned>();
  check_add<unsigned long long>();
  check_add<float>();
  check_add<double>();
}

template <class T>
__global__ void integer_functions(T* out, const T* values, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const T value = values[i];
    atomicMin(&out[0], value);
    atomicMax(&out[1], value);
    atomicAnd(&out[2], static_cast<T>(value | 1));
    atomicOr(&out[3], value);
    atomicXor(&out[4], value);
    atomicMin_system(&out[5], value);
    atomicMax_block(&out[6], value);  // of one block here
    atomicXor_system(&out[7], value);
  }
}

template <class T>
void check_integer_functions() {
  std::vector<T> values(total);
  for (int i = 0; i < total; ++i)
    values[i] = static_cast<T>(static_cast<T>(i * 2654435761u) * static_cast<T>(2654435761u));
  const std::vector<T> start = {values[0], values[0], static_cast<T>(-1), 0, 0, values[0], values[0], 0};
  DeviceArray<T> device(values), out(start);
  integer_functions<T><<<1, threads>>>(out, device, total);
  T all = static_cast<T>(-1), any = 0, parity = 0;
  for (T value : values) all &= static_cast<T>(value | 1), any |= value, parity ^= value;
  const T least = *std::min_element(values.begin(), values.end()),
          most = *std::max_element(values.begin(), values.end());
  EXPECT_EQ(out.host(), (std::vector<T>{least, most, all, any, parity, least, most, parity}));
}

TEST(Atomics, MinimumMaximumAndBits) {
  check_integer_functions<int>();
  check_integer_functions<unsigned>();
  check_integer_functions<long long>();
  check_integer_functions<unsigned long long>();
}

__global__ void subtract(int* a, unsigned* b) {
  atomicSub(a, 3);
  atomicSub_system(b, 2u);
}

TEST(Atomics, Subtraction) {
  DeviceArray<int> a(1, 5);
  DeviceArray<unsigned> b(1, 10u);
  subtract<<<blocks, threads>>>(a, b);
  EXPECT_EQ(a.host()[0], 5 - 3 * total);
  EXPECT_EQ(b.host()[0], 10u - 2u * total);
}

__global__ void wrap(unsigned* counters, unsigned* seen) {
  atomicAdd(&seen[atomicInc(&counters[0], 9)], 1u);
  atomicAdd(&seen[10 + atomicDec(&counters[1], 9)], 1u);
}

TEST(Atomics, IncrementAndDecrementWrap) {
  DeviceArray<unsigned> counters(2), seen(20);
  wrap<<<5, 40>>>(counters, seen);
  EXPECT_EQ(seen.host(), std::vector<unsigned>(20, 20u));
  EXPECT_EQ(counters.host(), (std::vector<unsigned>{0, 0}));
}

template <class T>
__global__ void exchange(T* slot, T* taken) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  taken[i] = atomicExch(slot, static_cast<T>(i + 1));
}

template <class T>
void check_exchange() {
  DeviceArray<T> slot(1), taken(total);
  exchange<T><<<blocks, threads>>>(slot, taken);
  std::vector<T> values = taken.host();
  values.push_back(slot.host()[0]);
  std::sort(values.begin(), values.end());
  for (int i = 0; i <= total; ++i) ASSERT_EQ(values[i], static_cast<T>(i));  // each was taken by one
}

TEST(Atomics, ExchangeHandsEachValueOn) {
  check_exchange<int>();
  check_exchange<unsigned>();
  check_exchange<unsigned long long>();
  check_exchange<float>();
}

template <class T>
__global__ void multiply_by_compare_and_swap(T* product, T factor) {
  T seen = *product, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(product, assumed, static_cast<T>(assumed * factor));
  } while (assumed != seen);
}

template <class T>
void check_compare_and_swap(T factor) {
  DeviceArray<T> product(1, T(1));
  multiply_by_compare_and_swap<T><<<2, 50>>>(product, factor);
  T expected = 1;
  for (int i = 0; i < 100; ++i) expected = static_cast<T>(expected * factor);
  EXPECT_EQ(product.host()[0], expected);
}

TEST(Atomics, CompareAndSwapOfEverySize) {
  check_compare_and_swap<unsigned short>(3);
  check_compare_and_swap<unsigned>(3u);
  check_compare_and_swap<unsigned long long>(3ull);
  DeviceArray<int> value(1, 7);
  multiply_by_compare_and_swap<int><<<1, 3>>>(value, -2);
  EXPECT_EQ(value.host()[0], -56);
}

__device__ double add_by_bits(double* address, double value) {
  unsigned long long* word = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *word, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != seen);
  return __longlong_as_double(seen);
}
__global__ void add_doubles(double* sum) { add_by_bits(sum, 0.5); }

TEST(Atomics, DoublesByTheirBits) {
  DeviceArray<double> sum(1);
  add_doubles<<<blocks, threads>>>(sum);
  EXPECT_EQ(sum.host()[0], total * 0.5);
}

__global__ void histogram(const unsigned char* bytes, int count, int* bins) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&local[bytes[i] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

TEST(Atomics, InSharedMemory) {
  std::vector<unsigned char> bytes(5000);
  std::vector<int> expected(16);
  for (int i = 0; i < 5000; ++i) bytes[i] = static_cast<unsigned char>(i * i >> 3), ++expected[bytes[i] % 16];
  DeviceArray<unsigned char> device(bytes);
  DeviceArray<int> bins(16);
  histogram<<<4, 64>>>(device, 5000, bins);
  EXPECT_EQ(bins.host(), expected);
}

__global__ void return_values(int* slots, int* out) {
  out[0] = atomicAdd(&slots[0], 5);
  out[1] = atomicSub(&slots[0], 1);
  out[2] = atomicMax(&slots[0], 3);
  out[3] = atomicMin(&slots[0], 2);
  out[4] = atomicExch(&slots[0], 77);
  out[5] = atomicCAS(&slots[0], 77, 78);
  out[6] = atomicCAS(&slots[0], 77, 79);
  out[7] = atomicAnd(&slots[0], 15);
  out[8] = atomicOr(&slots[0], 1);
  out[9] = atomicXor(&slots[0], 3);
  out[10] = slots[0];
}

TEST(Atomics, EachReturnsWhatWasThere) {
  DeviceArray<int> slots(1, 10), out(11);
  return_values<<<1, 1>>>(slots, out);
  EXPECT_EQ(out.host(), (std::vector<int>{10, 15, 14, 14, 2, 77, 78, 78, 14, 15, 12}));
}

struct alignas(16) Wide {
  unsigned long long sum, count;
};
__global__ void add_both(Wide* total) {
  Wide seen = *total, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(total, assumed, Wide{assumed.sum + threadIdx.x, assumed.count + 1});
  } while (seen.sum != assumed.sum || seen.count != assumed.count);
}
__global__ void exchange_both(Wide* slot, Wide* taken) { *taken = atomicExch(slot, Wide{7, 8}); }

TEST(Atomics, SixteenBytesAtOnce) {
  DeviceArray<Wide> total(std::vector<Wide>{{100, 0}}), taken(1);
  add_both<<<6, 40>>>(total);
  exchange_both<<<1, 1>>>(total, taken);
  EXPECT_EQ(taken.host()[0].sum, 100u + 6 * 780);
  EXPECT_EQ(taken.host()[0].count, 240u);
  EXPECT_EQ(total.host()[0].sum, 7u);
}

// A lock that threads of different blocks take in turn.
__global__ void locked(int* lock, int* counter) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *static_cast<volatile int*>(counter) = *static_cast<volatile int*>(counter) + 1;
  __threadfence();
  atomicExch(lock, 0);
}

TEST(Atomics, ALockBetweenBlocks) {
  DeviceArray<int> lock(1), counter(1);
  locked<<<64, 32>>>(lock, counter);
  EXPECT_EQ(counter.host()[0], 64);
}

}  // namespace
