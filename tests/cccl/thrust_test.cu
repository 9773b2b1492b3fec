// Thrust as programs use it: vectors, algorithms, iterators and execution policies.
#include <gtest/gtest.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace {

template <class T>
std::vector<T> host(const thrust::device_vector<T>& v) {
  std::vector<T> values(v.size());
  thrust::copy(v.begin(), v.end(), values.begin());
  return values;
}

thrust::host_vector<int> scrambled(int count) {
  thrust::host_vector<int> v(count);
  for (int i = 0; i < count; ++i) v[i] = static_cast<int>((i * 7919ll) % count);
  return v;
}

TEST(Thrust, VectorsAreCopiedAndChanged) {
  thrust::device_vector<int> d(4, 7);
  d[1] = 8;
  d.push_back(9);
  const thrust::host_vector<int> h = d;
  EXPECT_EQ(std::vector<int>(h.begin(), h.end()), (std::vector<int>{7, 8, 7, 7, 9}));
}

TEST(Thrust, SortsNumbers) {
  thrust::device_vector<int> d = scrambled(5000);
  thrust::sort(d.begin(), d.end());
  std::vector<int> expected(5000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(host(d), expected);
}

TEST(Thrust, SortsByKeyInDescendingOrder) {
  thrust::device_vector<int> keys = scrambled(1000), values(1000);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin(), thrust::greater<int>());
  const std::vector<int> k = host(keys), v = host(values);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(k[i], 999 - i);
    ASSERT_EQ((v[i] * 7919ll) % 1000, k[i]);
  }
}

TEST(Thrust, ReducesWithAnOperator) {
  const thrust::device_vector<int> d = scrambled(3000);
  EXPECT_EQ(thrust::reduce(d.begin(), d.end()), 3000 * 2999 / 2);
  EXPECT_EQ(thrust::reduce(d.begin(), d.end(), -1, thrust::maximum<int>()), 2999);
}

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
TEST(Thrust, NormByTransformReduce) {
  const thrust::device_vector<float> d(100, 2.0f);
  EXPECT_EQ(std::sqrt(thrust::transform_reduce(d.begin(), d.end(), Square(), 0.0f, thrust::plus<float>())), 20.0f);
}

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
TEST(Thrust, SaxpyByTransform) {
  thrust::device_vector<float> x(100), y(100, 1.0f);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2.0f});
  EXPECT_EQ(host(y)[99], 199.0f);
}

TEST(Thrust, DeviceLambda) {
  thrust::device_vector<int> d(10);
  thrust::sequence(d.begin(), d.end());
  const int factor = 3;
  thrust::for_each(thrust::device, d.begin(), d.end(), [=] __device__(int& x) { x *= factor; });
  EXPECT_EQ(host(d)[9], 27);
}

TEST(Thrust, Scans) {
  thrust::device_vector<int> d(2000, 1), inclusive(2000), exclusive(2000);
  thrust::inclusive_scan(d.begin(), d.end(), inclusive.begin());
  thrust::exclusive_scan(d.begin(), d.end(), exclusive.begin(), 10);
  EXPECT_EQ(host(inclusive)[1999], 2000);
  EXPECT_EQ(host(exclusive)[1999], 2009);
}

struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
TEST(Thrust, CompactsAndCounts) {
  const thrust::device_vector<int> d = scrambled(1000);
  thrust::device_vector<int> even(1000);
  even.resize(thrust::copy_if(d.begin(), d.end(), even.begin(), IsEven()) - even.begin());
  EXPECT_EQ(even.size(), 500u);
  EXPECT_EQ(thrust::count_if(d.begin(), d.end(), IsEven()), 500);
}

TEST(Thrust, HistogramByReduceByKey) {
  thrust::device_vector<int> d(900);
  for (int i = 0; i < 900; ++i) d[i] = i % 3;
  thrust::sort(d.begin(), d.end());
  thrust::device_vector<int> keys(3), counts(3);
  const auto ends =
      thrust::reduce_by_key(d.begin(), d.end(), thrust::constant_iterator<int>(1), keys.begin(), counts.begin());
  EXPECT_EQ(ends.first - keys.begin(), 3);
  EXPECT_EQ(host(counts), (std::vector<int>{300, 300, 300}));
}

TEST(Thrust, UniqueLeavesOneOfEach) {
  const int numbers[] = {1, 1, 2, 3, 3, 3, 1};
  thrust::device_vector<int> d(numbers, numbers + 7);
  d.erase(thrust::unique(d.begin(), d.end()), d.end());
  EXPECT_EQ(host(d), (std::vector<int>{1, 2, 3, 1}));
}

struct Dot {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& t) const {
    return thrust::get<0>(t) * thrust::get<1>(t);
  }
};
TEST(Thrust, ZipAndCountingIterators) {
  const thrust::device_vector<int> d(100, 2);
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(thrust::counting_iterator<int>(0), d.begin()));
  EXPECT_EQ(thrust::transform_reduce(zipped, zipped + 100, Dot(), 0, thrust::plus<int>()), 9900);
}

TEST(Thrust, PermutationAndGather) {
  const int places[] = {3, 0, 2};
  const thrust::device_vector<int> map(places, places + 3), source = scrambled(4);
  thrust::device_vector<int> gathered(3);
  thrust::gather(map.begin(), map.end(), source.begin(), gathered.begin());
  const auto first = thrust::make_permutation_iterator(source.begin(), map.begin());
  EXPECT_EQ(thrust::reduce(first, first + 3), thrust::reduce(gathered.begin(), gathered.end()));
  EXPECT_EQ(host(gathered)[1], 0);
}

TEST(Thrust, OnAStreamAndOnTheHost) {
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  thrust::device_vector<int> d = scrambled(500);
  thrust::sort(thrust::cuda::par.on(stream), d.begin(), d.end());
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  thrust::host_vector<int> h = scrambled(500);
  thrust::sort(thrust::host, h.begin(), h.end());
  EXPECT_TRUE(thrust::equal(h.begin(), h.end(), host(d).begin()));
}

}  // namespace
