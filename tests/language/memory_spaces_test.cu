// Where variables live: shared memory of both kinds, constants, device variables, local arrays.
#include "device_array.h"

namespace {

__device__ int device_counter = 5;
__device__ float device_table[16];
__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ int scale = 3;

__global__ void use_device_variables(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  device_table[i] += static_cast<float>(i * scale) * coefficients[i % 8];
  if (i == 0) *out = device_counter++;
}

TEST(MemorySpaces, DeviceAndConstantVariablesAreReachedByTheHost) {
  DeviceArray<int> out(1);
  use_device_variables<<<1, 16>>>(out);
  EXPECT_EQ(out.host()[0], 5);
  int counter = 0;
  ASSERT_CUDA(cudaMemcpyFromSymbol(&counter, device_counter, sizeof counter));
  EXPECT_EQ(counter, 6);

  const float replaced[2] = {50, 60};
  ASSERT_CUDA(cudaMemcpyToSymbol(coefficients, replaced, sizeof replaced, 3 * sizeof(float)));
  const float zeros[16] = {};
  ASSERT_CUDA(cudaMemcpyToSymbol(device_table, zeros, sizeof zeros));
  use_device_variables<<<1, 16>>>(out);
  float table[16];
  ASSERT_CUDA(cudaMemcpyFromSymbol(table, device_table, sizeof table));
  const float now[8] = {1, 2, 3, 50, 60, 6, 7, 8};
  for (int i = 0; i < 16; ++i) EXPECT_EQ(table[i], static_cast<float>(i * 3) * now[i % 8]);

  void* address = nullptr;
  ASSERT_CUDA(cudaGetSymbolAddress(&address, device_counter));
  std::size_t size = 0;
  ASSERT_CUDA(cudaGetSymbolSize(&size, device_table));
  EXPECT_EQ(size, sizeof table);
  const int nine = 9;
  ASSERT_CUDA(cudaMemcpy(address, &nine, sizeof nine, cudaMemcpyHostToDevice));
  use_device_variables<<<1, 16>>>(out);
  EXPECT_EQ(out.host()[0], 9);
}

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
}

TEST(MemorySpaces, StaticSharedMemoryIsEachBlocksOwn) {
  std::vector<int> in(64 * 9);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * i % 1009);
  DeviceArray<int> device_in(in), out(in.size());
  reverse<<<9, 64>>>(device_in, out);
  const auto host = out.host();
  for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(host[i], in[i / 64 * 64 + 63 - i % 64]);
}

extern __shared__ unsigned char dynamic_bytes[];

__global__ void split_dynamic(int ints, int doubles, double* out) {
  double* d = reinterpret_cast<double*>(dynamic_bytes);
  int* n = reinterpret_cast<int*>(d + doubles);
  __shared__ int fixed[4];
  const int i = static_cast<int>(threadIdx.x);
  if (i < doubles) d[i] = i * 0.5;
  if (i < ints) n[i] = i + static_cast<int>(blockIdx.x);
  if (i < 4) fixed[i] = 1000 * i;
  __syncthreads();
  double sum = fixed[i % 4];
  for (int j = 0; j < doubles; ++j) sum += d[j];
  for (int j = 0; j < ints; ++j) sum += n[j];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

TEST(MemorySpaces, DynamicSharedMemoryOfTheRequestedSize) {
  const int ints = 20, doubles = 12;
  DeviceArray<double> out(3 * 32);
  split_dynamic<<<3, 32, ints * sizeof(int) + doubles * sizeof(double)>>>(ints, doubles, out);
  const auto host = out.host();
  for (int b = 0; b < 3; ++b)
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(host[b * 32 + t],
                1000 * (t % 4) + 0.5 * (doubles * (doubles - 1) / 2) + ints * (ints - 1) / 2 + ints * b);
}

template <class T>
__device__ T* dynamic_as() {
  return reinterpret_cast<T*>(dynamic_bytes);
}
template <class T>
__global__ void rotate_dynamic(T* values) {
  T* shared = dynamic_as<T>();
  shared[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = shared[(threadIdx.x + 1) % blockDim.x];
}

TEST(MemorySpaces, DynamicSharedMemoryOfAnyType) {
  DeviceArray<char> chars(std::vector<char>{'a', 'b', 'c', 'd'});
  DeviceArray<double> doubles(std::vector<double>{1, 2, 3});
  rotate_dynamic<<<1, 4, 4>>>(chars.get());
  rotate_dynamic<<<1, 3, 3 * sizeof(double)>>>(doubles.get());
  EXPECT_EQ(chars.host(), (std::vector<char>{'b', 'c', 'd', 'a'}));
  EXPECT_EQ(doubles.host(), (std::vector<double>{2, 3, 1}));
}

__device__ int histogram_of(const unsigned char* bytes, int count, int wanted) {
  int local[16] = {};
  for (int i = 0; i < count; ++i) ++local[bytes[i] & 15];
  return local[wanted];
}
__global__ void histograms(const unsigned char* bytes, int count, int* out) {
  out[threadIdx.x] = histogram_of(bytes, count, static_cast<int>(threadIdx.x));
}

TEST(MemorySpaces, ArraysOfAThreadAreItsOwn) {
  std::vector<unsigned char> bytes(300);
  std::vector<int> expected(16);
  for (int i = 0; i < 300; ++i) bytes[i] = static_cast<unsigned char>(i * 7 + i / 3), ++expected[bytes[i] & 15];
  DeviceArray<unsigned char> device(bytes);
  DeviceArray<int> out(16);
  histograms<<<1, 16>>>(device, 300, out);
  EXPECT_EQ(out.host(), expected);
}

__global__ void count_calls(int* out) {
  __shared__ int in_block;
  static __device__ int in_all = 100;
  if (threadIdx.x == 0) in_block = 0;
  __syncthreads();
  atomicAdd(&in_block, 1);
  const int before = atomicAdd(&in_all, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = in_block;
  if (before == 100 + static_cast<int>(gridDim.x * blockDim.x) - 1) out[gridDim.x] = before;
}

TEST(MemorySpaces, StaticVariablesWithinKernels) {
  DeviceArray<int> out(4);
  count_calls<<<3, 10>>>(out);
  EXPECT_EQ(out.host(), (std::vector<int>{10, 10, 10, 129}));
}

__global__ void address_facts(const int* global, int* out) {
  __shared__ int shared[4];
  shared[threadIdx.x % 4] = 7;
  __syncthreads();
  const int* pointers[2] = {global, shared};
  out[threadIdx.x] = pointers[threadIdx.x % 2][threadIdx.x % 4];
}

TEST(MemorySpaces, OnePointerTypeForEverySpace) {
  DeviceArray<int> global(std::vector<int>{10, 20, 30, 40}), out(8);
  address_facts<<<1, 8>>>(global, out);
  EXPECT_EQ(out.host(), (std::vector<int>{10, 7, 30, 7, 10, 7, 30, 7}));
}

}  // namespace
