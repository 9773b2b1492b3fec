// Vector types: their sizes and alignments on both sides, construction, access in memory of every kind, hinted loads.
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "device_array.h"

namespace {

struct Mixed {
  char tag;
  float4 position;
  short2 pair;
  double2 reals;
  uchar4 color;
  int3 triple;
  dim3 shape;
};

__global__ void layout(unsigned long long* out) {
  Mixed mixed;
  const char* base = reinterpret_cast<const char*>(&mixed);
  int i = 0;
  out[i++] = sizeof(Mixed);
  out[i++] = reinterpret_cast<const char*>(&mixed.position) - base;
  out[i++] = reinterpret_cast<const char*>(&mixed.pair) - base;
  out[i++] = reinterpret_cast<const char*>(&mixed.reals) - base;
  out[i++] = reinterpret_cast<const char*>(&mixed.color) - base;
  out[i++] = reinterpret_cast<const char*>(&mixed.triple) - base;
  out[i++] = reinterpret_cast<const char*>(&mixed.shape) - base;
  out[i++] = sizeof(float3) * 100 + alignof(float3);
  out[i++] = sizeof(float4) * 100 + alignof(float4);
  out[i++] = sizeof(char4) * 100 + alignof(char4);
  out[i++] = sizeof(short4) * 100 + alignof(short4);
  out[i++] = sizeof(longlong2) * 100 + alignof(longlong2);
  out[i++] = sizeof(double3) * 100 + alignof(double3);
}

TEST(VectorTypes, HostAndDeviceAgreeOnTheLayout) {
  DeviceArray<unsigned long long> out(13);
  layout<<<1, 1>>>(out);
  EXPECT_EQ(out.host(),
            (std::vector<unsigned long long>{sizeof(Mixed), offsetof(Mixed, position), offsetof(Mixed, pair),
                                             offsetof(Mixed, reals), offsetof(Mixed, color), offsetof(Mixed, triple),
                                             offsetof(Mixed, shape), 1204, 1616, 404, 808, 1616, 2408}));
}

__device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void compute(const float4* in, float4* sums, float3* crosses) {
  const int i = static_cast<int>(threadIdx.x);
  const float4 a = in[i], b = in[(i + 1) % blockDim.x];
  sums[i] = a + b;
  crosses[i] = cross(make_float3(a.x, a.y, a.z), make_float3(b.x, b.y, b.z));
}

TEST(VectorTypes, ArithmeticByComponents) {
  std::vector<float4> in;
  for (int i = 0; i < 40; ++i) in.push_back(make_float4(i * 0.5f, 3.0f - i, i * i * 0.25f, -1.0f * i));
  DeviceArray<float4> device(in), sums(40);
  DeviceArray<float3> crosses(40);
  compute<<<1, 40>>>(device, sums, crosses);
  const auto s = sums.host();
  const auto c = crosses.host();
  for (int i = 0; i < 40; ++i) {
    const float4 a = in[i], b = in[(i + 1) % 40];
    EXPECT_EQ(s[i].x, a.x + b.x);
    EXPECT_EQ(s[i].w, a.w + b.w);
    // The device may fuse the products and differences that the host rounds twice.
    EXPECT_NEAR(c[i].x, double(a.y) * b.z - double(a.z) * b.y, 1e-2);
    EXPECT_NEAR(c[i].z, double(a.x) * b.y - double(a.y) * b.x, 1e-2);
  }
}

template <class T>
__global__ void copy_hinted(const T* in, T* out) {
  const int i = static_cast<int>(threadIdx.x);
  T value = __ldg(in + i);
  if (i % 5 == 1) value = __ldcg(in + i);
  if (i % 5 == 2) value = __ldca(in + i);
  if (i % 5 == 3) value = __ldcs(in + i);
  if (i % 5 == 4) value = __ldcv(in + i);
  if (i % 4 == 0) __stwb(out + i, value);
  if (i % 4 == 1) __stcg(out + i, value);
  if (i % 4 == 2) __stcs(out + i, value);
  if (i % 4 == 3) __stwt(out + i, value);
}

template <class T>
void check_hinted() {
  std::vector<T> in(60);
  unsigned char* bytes = reinterpret_cast<unsigned char*>(in.data());
  for (std::size_t i = 0; i < in.size() * sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(i * 37 % 120);
  DeviceArray<T> device(in), out(60);
  copy_hinted<T><<<1, 60>>>(device, out);
  const auto host = out.host();
  EXPECT_EQ(std::memcmp(host.data(), in.data(), 60 * sizeof(T)), 0);
}

TEST(VectorTypes, LoadsAndStoresWithCacheHints) {
  check_hinted<char>();
  check_hinted<unsigned char>();
  check_hinted<short>();
  check_hinted<int>();
  check_hinted<unsigned>();
  check_hinted<long>();
  check_hinted<unsigned long long>();
  check_hinted<float>();
  check_hinted<double>();
  check_hinted<char2>();
  check_hinted<char4>();
  check_hinted<uchar4>();
  check_hinted<short2>();
  check_hinted<ushort4>();
  check_hinted<int2>();
  check_hinted<int4>();
  check_hinted<uint4>();
  check_hinted<longlong2>();
  check_hinted<float2>();
  check_hinted<float4>();
  check_hinted<double2>();
}

__constant__ int4 table[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

__global__ void through_memory(const uchar4* colors, int* out) {
  __shared__ int4 shared[32];
  const int i = static_cast<int>(threadIdx.x);
  const uchar4 color = colors[i];
  int4 value = table[i % 3];
  value.x += color.x, value.w -= color.w;
  shared[31 - i] = value;
  __syncthreads();
  const int4 other = shared[i];
  out[i] = other.x * 1000 + other.y * 100 + other.z * 10 + other.w;
}

TEST(VectorTypes, InConstantSharedAndGlobalMemory) {
  std::vector<uchar4> colors;
  for (int i = 0; i < 32; ++i)
    colors.push_back(make_uchar4(static_cast<unsigned char>(i), 0, 0, static_cast<unsigned char>(i * 2)));
  DeviceArray<uchar4> device(colors);
  DeviceArray<int> out(32);
  through_memory<<<1, 32>>>(device, out);
  const auto host = out.host();
  for (int i = 0; i < 32; ++i) {
    const int from = 31 - i, base = from % 3 * 4;
    EXPECT_EQ(host[i], (base + 1 + from) * 1000 + (base + 2) * 100 + (base + 3) * 10 + base + 4 - from * 2);
  }
}

}  // namespace
