// Kernels as C++: templates, lambdas, functors, structures by value, shapes of grids and blocks, attributes.
#include <functional>
#include <type_traits>

#include "device_array.h"

namespace {

template <class T, int Factor>
__global__ void scale(T* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i] * Factor;
}

TEST(Kernels, TemplatesOfTypesAndValues) {
  DeviceArray<float> floats(std::vector<float>{1.5f, 2.5f, 3.5f});
  DeviceArray<long long> wide(std::vector<long long>{1ll << 40, -7, 0});
  scale<float, 3><<<1, 32>>>(floats.get(), 3);
  scale<long long, -2><<<2, 2>>>(wide.get(), 3);
  EXPECT_EQ(floats.host(), (std::vector<float>{4.5f, 7.5f, 10.5f}));
  EXPECT_EQ(wide.host(), (std::vector<long long>{-(1ll << 41), 14, 0}));
}

template <class... Part>
__global__ void sum_parts(int* out, Part... part) {
  *out = (static_cast<int>(part) + ... + 0);
}

TEST(Kernels, ParameterPacks) {
  DeviceArray<int> out(1);
  sum_parts<<<1, 1>>>(out.get(), 1, 2.9, 'a', static_cast<short>(-5), 7ull);
  EXPECT_EQ(out.host()[0], 1 + 2 + 'a' - 5 + 7);
}

template <class Function, class... Argument>
__global__ void for_each(int count, Function function, Argument... argument) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) function(i, argument...);
}

struct AddScaled {
  int* out;
  int factor;
  __device__ void operator()(int i) const { out[i] += factor * i; }
};

TEST(Kernels, FunctorsByValue) {
  DeviceArray<int> out(1000, 5);
  for_each<<<3, 64>>>(1000, AddScaled{out.get(), 7});
  const auto host = out.host();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(host[i], 5 + 7 * i);
}

void fill_by_lambdas(int* out, int factor) {
  const int offset = 11;
  for_each<<<3, 64>>>(500, [=] __device__(int i) { out[i] = factor * i + offset; });
  for_each<<<2, 32>>>(500, [=] __host__ __device__(int i, int step) { out[i] += step * (i % 2); }, 1000);
}

TEST(Kernels, LambdasThatTheHostWrites) {
  DeviceArray<int> out(500);
  fill_by_lambdas(out, 3);
  const auto host = out.host();
  for (int i = 0; i < 500; ++i) ASSERT_EQ(host[i], 3 * i + 11 + i % 2 * 1000);
}

__global__ void lambdas_in_kernels(int* out, int offset) {
  const int i = static_cast<int>(threadIdx.x);
  const auto by_value = [=](int x) { return x * 2 + offset; };
  int calls = 0;
  const auto by_reference = [&](auto x) {
    ++calls;
    return x + i;
  };
  const auto apply = [](auto function, int x) { return function(x); };
  out[i] = apply(by_value, i) * 1000 + apply(by_reference, 3) + calls * 100;
}

TEST(Kernels, LambdasWithinKernels) {
  DeviceArray<int> out(40);
  lambdas_in_kernels<<<1, 40>>>(out, 9);
  const auto host = out.host();
  for (int i = 0; i < 40; ++i) EXPECT_EQ(host[i], (i * 2 + 9) * 1000 + 3 + i + 100);
}

struct Small {
  char tag;
  short number;
};
struct Mixed {
  double real;
  Small parts[3];
  int counts[5];
  float* data;
};

__device__ int total(const Mixed& mixed) {
  int sum = 0;
  for (int count : mixed.counts) sum += count;
  return sum;
}

__global__ void read_structure(Small first, Mixed mixed, char last, double* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = mixed.real + first.number + mixed.parts[i % 3].number + total(mixed) + last + mixed.data[i] + first.tag;
}

TEST(Kernels, StructuresByValueOfEveryAlignment) {
  DeviceArray<float> data(std::vector<float>{0.25f, 0.5f, 0.75f, 1.0f});
  DeviceArray<double> out(4);
  const Small first{'x', 300};
  Mixed mixed{2.5, {{'a', 10}, {'b', 20}, {'c', 30}}, {1, 2, 3, 4, 5}, data.get()};
  read_structure<<<1, 4>>>(first, mixed, '\3', out);
  const auto host = out.host();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(host[i], 2.5 + 300 + 10 * (i % 3 + 1) + 15 + 3 + 0.25 * (i + 1) + 'x');
}

__global__ void write_structure(Mixed mixed, int* out) {
  const int i = static_cast<int>(threadIdx.x);
  mixed.counts[i % 5] += 100 * i;  // every thread has its own copy
  mixed.real += i;
  mixed.parts[1].number = static_cast<short>(i);
  __syncthreads();
  out[i] = total(mixed) + static_cast<int>(mixed.real) + mixed.parts[1].number;
}

TEST(Kernels, AStructureWrittenByTheKernelIsEachThreadsOwn) {
  DeviceArray<int> out(64);
  const Mixed mixed{10.0, {{'a', 1}, {'b', 2}, {'c', 3}}, {1, 2, 3, 4, 5}, nullptr};
  write_structure<<<1, 64>>>(mixed, out);
  const auto host = out.host();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(host[i], 15 + 100 * i + 10 + i + i);
}

__global__ void record_indices(unsigned* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned* mine = out + (block * threads + thread) * 3;
  mine[0] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16;
  mine[1] = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16;
  mine[2] = warpSize;
}

TEST(Kernels, GridsAndBlocksOfOneToThreeDimensions) {
  const dim3 shapes[][2] = {
      {{5}, {37}}, {{3, 2}, {8, 5}}, {{2, 3, 4}, {4, 3, 5}}, {{1, 1, 6}, {1, 1, 9}}, {{1, 7}, {1, 64}}};
  for (const auto& shape : shapes) {
    const dim3 grid = shape[0], block = shape[1];
    DeviceArray<unsigned> out(grid.x * grid.y * grid.z * block.x * block.y * block.z * 3);
    record_indices<<<grid, block>>>(out);
    const auto host = out.host();
    unsigned at = 0;
    for (unsigned bz = 0; bz < grid.z; ++bz)
      for (unsigned by = 0; by < grid.y; ++by)
        for (unsigned bx = 0; bx < grid.x; ++bx)
          for (unsigned z = 0; z < block.z; ++z)
            for (unsigned y = 0; y < block.y; ++y)
              for (unsigned x = 0; x < block.x; ++x, at += 3) {
                ASSERT_EQ(host[at], x | y << 8 | z << 16);
                ASSERT_EQ(host[at + 1], bx | by << 8 | bz << 16);
                ASSERT_EQ(host[at + 2], 32u);
              }
  }
}

__global__ void __launch_bounds__(128, 2)
    bounded(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = a[i] - 2 * b[i];
}

TEST(Kernels, LaunchBoundsAndRestrict) {
  std::vector<float> a(500), b(500), expected(500);
  for (int i = 0; i < 500; ++i) a[i] = i * 0.5f, b[i] = 100.0f - i, expected[i] = a[i] - 2 * b[i];
  DeviceArray<float> device_a(a), device_b(b), out(500);
  bounded<<<1, 128>>>(device_a, device_b, out, 500);
  EXPECT_EQ(out.host(), expected);
  cudaFuncAttributes attributes;
  ASSERT_CUDA(cudaFuncGetAttributes(&attributes, bounded));
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
}

__host__ __device__ constexpr int square(int x) { return x * x; }
__host__ __device__ int both_sides(int x) {
#ifdef __CUDA_ARCH__
  return x + 1000;
#else
  return x + 1;
#endif
}
__global__ void use_both(int* out) {
  constexpr int table[square(3)] = {4, 8, 15, 16, 23, 42, 0, 1, 2};
  out[0] = table[5] + square(static_cast<int>(threadIdx.x) + 4);
  out[1] = both_sides(5);
}

TEST(Kernels, FunctionsForHostAndDevice) {
  DeviceArray<int> out(2);
  use_both<<<1, 1>>>(out);
  EXPECT_EQ(out.host(), (std::vector<int>{42 + square(4), 1005}));
  EXPECT_EQ(both_sides(5), 6);
}

__global__ void index_copies(unsigned* out) {
  const uint3 here = threadIdx;
  const dim3 size = blockDim, block = blockIdx;
  const auto grid = gridDim;
  out[here.x] = here.x + 100 * size.x + 10000 * block.x + 1000000 * grid.x;
}

TEST(Kernels, IndicesAreValues) {
  DeviceArray<unsigned> out(8);
  index_copies<<<1, 8>>>(out);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(out.host()[i], i + 800 + 1000000);
}

static __global__ void same_name(int* out) { *out = 1; }
namespace inner {
static __global__ void same_name(int* out) { *out = 2; }
}  // namespace inner

TEST(Kernels, EqualNamesInDifferentScopes) {
  DeviceArray<int> out(1);
  same_name<<<1, 1>>>(out);
  EXPECT_EQ(out.host()[0], 1);
  inner::same_name<<<1, 1>>>(out);
  EXPECT_EQ(out.host()[0], 2);
}

}  // namespace
