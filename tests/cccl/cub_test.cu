// CUB as programs use it: device-wide calls with temporary storage, and collectives of blocks and warps in kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

namespace {

template <class T>
struct Buffer {
  explicit Buffer(std::size_t count) : count(count) { EXPECT_EQ(cudaMalloc(&data, count * sizeof(T)), cudaSuccess); }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    cudaMemcpy(data, values.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Buffer() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> values(count);
    EXPECT_EQ(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }
  T* data;
  std::size_t count;
};

// The two calls of every device-wide algorithm: how much storage, then the work.
template <class Call>
void with_storage(Call call) {
  std::size_t bytes = 0;
  ASSERT_EQ(call(nullptr, bytes), cudaSuccess);
  Buffer<char> storage(bytes);
  ASSERT_EQ(call(storage.data, bytes), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

std::vector<int> scrambled(int count) {
  std::vector<int> v(count);
  for (int i = 0; i < count; ++i) v[i] = static_cast<int>((i * 7919ll) % count);
  return v;
}

TEST(Cub, DeviceReduceSum) {
  Buffer<int> in(scrambled(10000)), out(1);
  with_storage([&](void* s, std::size_t& n) { return cub::DeviceReduce::Sum(s, n, in.data, out.data, 10000); });
  EXPECT_EQ(out.host()[0], 10000 * 9999 / 2);
}

TEST(Cub, DeviceReduceMaximumWithIndex) {
  std::vector<float> numbers(777, 1.0f);
  numbers[400] = 5.0f;
  Buffer<float> in(numbers);
  Buffer<float> maximum(1);
  Buffer<long long> index(1);
  with_storage(
      [&](void* s, std::size_t& n) { return cub::DeviceReduce::ArgMax(s, n, in.data, maximum.data, index.data, 777); });
  EXPECT_EQ(maximum.host()[0], 5.0f);
  EXPECT_EQ(index.host()[0], 400);
}

struct Product {
  __host__ __device__ long long operator()(long long a, long long b) const { return a * b % 1000007; }
};
TEST(Cub, DeviceReduceWithAnOperator) {
  Buffer<long long> in(std::vector<long long>(20, 3)), out(1);
  with_storage(
      [&](void* s, std::size_t& n) { return cub::DeviceReduce::Reduce(s, n, in.data, out.data, 20, Product(), 1ll); });
  long long expected = 1;
  for (int i = 0; i < 20; ++i) expected = expected * 3 % 1000007;
  EXPECT_EQ(out.host()[0], expected);
}

TEST(Cub, DeviceScan) {
  Buffer<int> in(std::vector<int>(3000, 2)), out(3000);
  with_storage([&](void* s, std::size_t& n) { return cub::DeviceScan::ExclusiveSum(s, n, in.data, out.data, 3000); });
  EXPECT_EQ(out.host()[2999], 5998);
  with_storage([&](void* s, std::size_t& n) { return cub::DeviceScan::InclusiveSum(s, n, in.data, out.data, 3000); });
  EXPECT_EQ(out.host()[2999], 6000);
}

// Scans of each type have steps of their own in inline PTX.
template <class T>
void scan_and_check() {
  constexpr int count = 20000;
  std::vector<T> numbers(count), expected(count);
  T sum = 0;
  for (int i = 0; i < count; ++i) numbers[i] = static_cast<T>(i % 3), expected[i] = sum += numbers[i];
  Buffer<T> in(numbers), out(count);
  with_storage([&](void* s, std::size_t& n) { return cub::DeviceScan::InclusiveSum(s, n, in.data, out.data, count); });
  EXPECT_EQ(out.host(), expected);
}
TEST(Cub, DeviceScanOfEveryType) {
  scan_and_check<unsigned>();
  scan_and_check<float>();
  scan_and_check<double>();
  scan_and_check<long long>();
  scan_and_check<unsigned long long>();
}

TEST(Cub, DeviceRadixSortOfPairs) {
  const std::vector<int> numbers = scrambled(2000);
  std::vector<int> places(2000);
  std::iota(places.begin(), places.end(), 0);
  Buffer<int> keys(numbers), values(places), sorted(2000), moved(2000);
  with_storage([&](void* s, std::size_t& n) {
    return cub::DeviceRadixSort::SortPairs(s, n, keys.data, sorted.data, values.data, moved.data, 2000);
  });
  const std::vector<int> k = sorted.host(), v = moved.host();
  for (int i = 0; i < 2000; ++i) {
    ASSERT_EQ(k[i], i);
    ASSERT_EQ(numbers[v[i]], i);
  }
}

TEST(Cub, DeviceSelectIf) {
  Buffer<int> in(scrambled(1000)), out(1000), count(1);
  const auto small = [] __host__ __device__(int x) { return x < 100; };
  with_storage(
      [&](void* s, std::size_t& n) { return cub::DeviceSelect::If(s, n, in.data, out.data, count.data, 1000, small); });
  EXPECT_EQ(count.host()[0], 100);
}

TEST(Cub, DeviceHistogram) {
  std::vector<float> samples(1000);
  for (int i = 0; i < 1000; ++i) samples[i] = static_cast<float>(i % 10);
  Buffer<float> in(samples);
  Buffer<int> bins(5);
  with_storage([&](void* s, std::size_t& n) {
    return cub::DeviceHistogram::HistogramEven(s, n, in.data, bins.data, 6, 0.0f, 10.0f, 1000);
  });
  EXPECT_EQ(bins.host(), std::vector<int>(5, 200));
}

TEST(Cub, DeviceRunLengthEncode) {
  Buffer<int> in(std::vector<int>{4, 4, 4, 7, 7, 1}), unique(6), lengths(6), runs(1);
  with_storage([&](void* s, std::size_t& n) {
    return cub::DeviceRunLengthEncode::Encode(s, n, in.data, unique.data, lengths.data, runs.data, 6);
  });
  EXPECT_EQ(runs.host()[0], 3);
  EXPECT_EQ(lengths.host()[0], 3);
  EXPECT_EQ(unique.host()[2], 1);
}

TEST(Cub, DeviceSegmentedReduce) {
  Buffer<int> in(std::vector<int>{1, 2, 3, 4, 5, 6}), offsets(std::vector<int>{0, 2, 2, 6}), out(3);
  with_storage([&](void* s, std::size_t& n) {
    return cub::DeviceSegmentedReduce::Sum(s, n, in.data, out.data, 3, offsets.data, offsets.data + 1);
  });
  EXPECT_EQ(out.host(), (std::vector<int>{3, 0, 18}));
}

template <int Threads>
__global__ void reduce_block(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, Threads>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[blockIdx.x * Threads + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
TEST(Cub, BlockReduce) {
  Buffer<int> in(scrambled(512)), out(4);
  reduce_block<128><<<4, 128>>>(in.data, out.data);
  const std::vector<int> sums = out.host();
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0), 512 * 511 / 2);
}

__global__ void sort_block(const int* in, int* out) {
  using Load = cub::BlockLoad<int, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, 64, 4>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
  } storage;
  int items[4];
  Load(storage.load).Load(in, items);
  __syncthreads();
  Sort(storage.sort).Sort(items);
  __syncthreads();
  Store(storage.store).Store(out, items);
}
TEST(Cub, BlockLoadSortAndStore) {
  Buffer<int> in(scrambled(256)), out(256);
  sort_block<<<1, 64>>>(in.data, out.data);
  const std::vector<int> sorted = out.host();
  for (int i = 0; i < 256; ++i) ASSERT_EQ(sorted[i], i);
}

__global__ void scan_block(int* out) {
  using Scan = cub::BlockScan<int, 96>;
  __shared__ typename Scan::TempStorage storage;
  int before, all;
  Scan(storage).ExclusiveSum(static_cast<int>(threadIdx.x), before, all);
  out[threadIdx.x] = before + all;
}
TEST(Cub, BlockScan) {
  Buffer<int> out(96);
  scan_block<<<1, 96>>>(out.data);
  EXPECT_EQ(out.host()[95], 94 * 95 / 2 + 95 * 96 / 2);
}

__global__ void reduce_warps(int* out) {
  using Reduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage storage[4];
  const int warp = threadIdx.x / 32;
  const int sum = Reduce(storage[warp]).Sum(static_cast<int>(threadIdx.x));
  if (threadIdx.x % 32 == 0) out[warp] = sum;
}
TEST(Cub, WarpReduce) {
  Buffer<int> out(4);
  reduce_warps<<<1, 128>>>(out.data);
  EXPECT_EQ(out.host(), (std::vector<int>{496, 1520, 2544, 3568}));
}

}  // namespace
