// 16-bit floating point, against a model of its own: numbers rounded to a few bits in long double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <random>

#include "device_array.h"
#include "small_float_model.h"

namespace {

template <class T>
struct Traits;
template <>
struct Traits<__half> {
  using Pair = __half2;
  static constexpr Format format = half_format;
  static __host__ __device__ __half make(unsigned short b) { return __ushort_as_half(b); }
  static __host__ __device__ unsigned short bits(__half h) { return __half_as_ushort(h); }
};
template <>
struct Traits<__nv_bfloat16> {
  using Pair = __nv_bfloat162;
  static constexpr Format format = bfloat_format;
  static __host__ __device__ __nv_bfloat16 make(unsigned short b) { return __ushort_as_bfloat16(b); }
  static __host__ __device__ unsigned short bits(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
};
constexpr Format Traits<__half>::format;
constexpr Format Traits<__nv_bfloat16>::format;

bool same(unsigned short a, unsigned short b, const Format& format) {
  return a == b || (std::isnan(format.value(a)) && std::isnan(format.value(b)));
}

std::vector<float> interesting_floats() {
  std::vector<float> values;
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    unsigned bits = random();
    if (i % 2) bits = (bits & 0x807fffffu) | ((random() % 48 + 100) << 23);
    if (i % 8 == 0) bits &= 0xffffe000u;  // ties and exact values
    if (i % 8 == 4) bits &= 0xffff8000u;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    values.push_back(value);
  }
  for (float value : {0.0f, -0.0f, INFINITY, -INFINITY, float(NAN), 65504.0f, 65519.9f, 65520.0f, 1e38f, -1e38f, 1e-8f})
    values.push_back(value);
  return values;
}

TEST(SmallFloat, EveryHalfAndBfloatHasItsValue) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const unsigned short b = static_cast<unsigned short>(bits);
    const double h = half_format.value(b), f = bfloat_format.value(b);
    if (std::isnan(h))
      EXPECT_TRUE(std::isnan(__half2float(__ushort_as_half(b))));
    else
      ASSERT_EQ(__half2float(__ushort_as_half(b)), h) << bits;
    if (std::isnan(f))
      EXPECT_TRUE(std::isnan(__bfloat162float(__ushort_as_bfloat16(b))));
    else
      ASSERT_EQ(__bfloat162float(__ushort_as_bfloat16(b)), static_cast<float>(f)) << bits;
  }
}

template <class T>
__host__ __device__ void round_all(float x, unsigned short* out);
template <>
__host__ __device__ void round_all<__half>(float x, unsigned short* out) {
  out[0] = __half_as_ushort(__float2half_rn(x));
  out[1] = __half_as_ushort(__float2half_rz(x));
  out[2] = __half_as_ushort(__float2half_ru(x));
  out[3] = __half_as_ushort(__float2half_rd(x));
}
template <>
__host__ __device__ void round_all<__nv_bfloat16>(float x, unsigned short* out) {
  out[0] = __bfloat16_as_ushort(__float2bfloat16_rn(x));
  out[1] = __bfloat16_as_ushort(__float2bfloat16_rz(x));
  out[2] = __bfloat16_as_ushort(__float2bfloat16_ru(x));
  out[3] = __bfloat16_as_ushort(__float2bfloat16_rd(x));
}
template <class T>
__global__ void round_on_device(const float* in, unsigned short* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) round_all<T>(in[i], out + 4 * i);
}

template <class T>
void check_rounding() {
  const std::vector<float> in = interesting_floats();
  const int count = static_cast<int>(in.size());
  DeviceArray<float> device_in(in);
  DeviceArray<unsigned short> out(4 * in.size());
  round_on_device<T><<<(count + 255) / 256, 256>>>(device_in, out, count);
  const auto device = out.host();
  const Format format = Traits<T>::format;
  for (int i = 0; i < count; ++i) {
    unsigned short host[4];
    round_all<T>(in[i], host);
    const Rounding roundings[] = {Rounding::nearest, Rounding::zero, Rounding::up, Rounding::down};
    for (int r = 0; r < 4; ++r) {
      const unsigned short expected = format.bits(in[i], roundings[r]);
      ASSERT_TRUE(same(host[r], expected, format)) << in[i] << " host " << r;
      ASSERT_TRUE(same(device[4 * i + r], expected, format)) << in[i] << " device " << r;
    }
  }
}

TEST(SmallFloat, FloatsRoundInEveryDirection) {
  check_rounding<__half>();
  check_rounding<__nv_bfloat16>();
}

template <class T>
__host__ __device__ void operate(T a, T b, T c, unsigned short* out) {
  using F = Traits<T>;
  out[0] = F::bits(a + b);
  out[1] = F::bits(a - b);
  out[2] = F::bits(a * b);
  out[3] = F::bits(a / b);
  out[4] = F::bits(__hmax(a, b));
  out[5] = F::bits(__hmin(a, b));
  out[6] = static_cast<unsigned short>((a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 |
                                       (a >= b) << 5 | __hequ(a, b) << 6 | __hltu(a, b) << 7 | __hne(a, b) << 8);
  out[7] = F::bits(-a);
  out[8] = F::bits(__habs(a));
  // The product comes last, because a compiler may fuse a product with the sum that uses it.
  T d = a;
  d += b;
  d -= a;
  ++d;
  d *= c;
  out[9] = F::bits(d);
  out[10] = F::bits(__hadd_sat(a, b));
#ifdef __CUDA_ARCH__
  out[11] = F::bits(__hfma(a, b, c));
#else
  out[11] = 0;
#endif
}
template <class T>
__global__ void operate_on_device(const unsigned short* in, unsigned short* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  using F = Traits<T>;
  if (i < count) operate<T>(F::make(in[3 * i]), F::make(in[3 * i + 1]), F::make(in[3 * i + 2]), out + 12 * i);
}

// x * y + z, moved off a tie that only the rounding of the sum made. The product is exact.
long double multiply_add(long double x, long double y, long double z) {
  const long double product = x * y, sum = product + z, of_z = sum - product;
  const long double rest = (product - (sum - of_z)) + (z - of_z);
  return rest > 0 ? std::nextafter(sum, HUGE_VALL) : rest < 0 ? std::nextafter(sum, -HUGE_VALL) : sum;
}

template <class T>
std::vector<unsigned short> expected_operations(unsigned short a, unsigned short b, unsigned short c) {
  const Format f = Traits<T>::format;
  const long double x = f.value(a), y = f.value(b), z = f.value(c);
  const auto rounded = [&](long double v) { return f.bits(v, Rounding::nearest); };
  const auto again = [&](long double v) { return static_cast<long double>(f.value(rounded(v))); };
  const bool unordered = std::isnan(x) || std::isnan(y);
  unsigned short largest = x > y || (x == y && !std::signbit(x)) ? a : b,
                 least = x < y || (x == y && std::signbit(x)) ? a : b;
  if (std::isnan(x)) largest = least = b;
  if (std::isnan(y)) largest = least = a;
  long double d = again(x + y);
  d = again(d - x);
  d = again(d + 1);
  const long double sum = again(x + y);
  const unsigned short saturated = sum > 0 ? rounded(std::fmin(sum, 1.0L)) : 0;
  return {rounded(x + y),
          rounded(x - y),
          rounded(x * y),
          rounded(x / y),
          largest,
          least,
          static_cast<unsigned short>((x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 |
                                      (x >= y) << 5 | (unordered || x == y) << 6 | (unordered || x < y) << 7 |
                                      (!unordered && x != y) << 8),
          static_cast<unsigned short>(a ^ 0x8000),
          static_cast<unsigned short>(a & 0x7fff),
          rounded(d * z),
          saturated,
          rounded(multiply_add(x, y, z))};
}

template <class T>
void check_operations() {
  std::mt19937 random(2);
  std::vector<unsigned short> in;
  const int count = 30000;
  for (int i = 0; i < 3 * count; ++i) {
    unsigned short bits = static_cast<unsigned short>(random());
    if (i % 4 == 0) bits = static_cast<unsigned short>((bits & 0x83ff) | (15 << 10));  // near one for half
    if (i % 4 == 1) bits = static_cast<unsigned short>((bits & 0x80ff) | 0x3f00);      // near one for bfloat
    in.push_back(bits);
  }
  const unsigned short special[] = {0, 0x8000, 0x7c00, 0xfc00, 0x7f80, 0x7fff, 1, 0x7bff};
  for (int i = 0; i < 900; ++i) in[i] = special[random() % 8];
  DeviceArray<unsigned short> device_in(in), out(12 * count);
  operate_on_device<T><<<(count + 127) / 128, 128>>>(device_in, out, count);
  const auto device = out.host();
  const Format format = Traits<T>::format;
  for (int i = 0; i < count; ++i) {
    using F = Traits<T>;
    const auto expected = expected_operations<T>(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
    unsigned short host[12];
    operate<T>(F::make(in[3 * i]), F::make(in[3 * i + 1]), F::make(in[3 * i + 2]), host);
    for (int r = 0; r < 12; ++r) {
      const bool exact = r == 6;
      ASSERT_TRUE(exact ? device[12 * i + r] == expected[r] : same(device[12 * i + r], expected[r], format))
          << "device " << r << ": " << in[3 * i] << " " << in[3 * i + 1] << " " << in[3 * i + 2] << " gave "
          << device[12 * i + r] << " not " << expected[r];
      if (r != 11) {
        ASSERT_TRUE(exact ? host[r] == expected[r] : same(host[r], expected[r], format)) << "host " << r;
      }
    }
  }
}

TEST(SmallFloat, ArithmeticRoundsOnceAndComparesAsIeeeSays) {
  check_operations<__half>();
  check_operations<__nv_bfloat16>();
}

__global__ void integers_on_device(const long long* in, int* out, unsigned short* back, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  back[4 * i] = __half_as_ushort(__int2half_rn(static_cast<int>(in[i])));
  back[4 * i + 1] = __half_as_ushort(__ll2half_rn(in[i]));
  back[4 * i + 2] = __bfloat16_as_ushort(__ll2bfloat16_rn(in[i]));
  back[4 * i + 3] = __bfloat16_as_ushort(__uint2bfloat16_rz(static_cast<unsigned>(in[i])));
  const __half h = __int2half_rn(static_cast<int>(in[i] % 100000)) / __half(8.0f);
  out[5 * i] = __half2int_rn(h);
  out[5 * i + 1] = __half2int_rz(h);
  out[5 * i + 2] = __half2int_ru(h);
  out[5 * i + 3] = __half2int_rd(h);
  out[5 * i + 4] = __half2short_rz(h);
}

TEST(SmallFloat, IntegersConvertBothWays) {
  std::vector<long long> in = {0, 1, -1, 2049, 65519, 65520, -70000, (1ll << 62) + (1ll << 54) + 1, -(1ll << 40) - 5};
  std::mt19937_64 random(3);
  while (in.size() < 1000) in.push_back(static_cast<long long>(random() >> random() % 64) * (random() % 2 ? 1 : -1));
  const int count = static_cast<int>(in.size());
  DeviceArray<long long> device_in(in);
  DeviceArray<int> out(5 * in.size());
  DeviceArray<unsigned short> back(4 * in.size());
  integers_on_device<<<(count + 127) / 128, 128>>>(device_in, out, back, count);
  const auto b = back.host();
  const auto o = out.host();
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(b[4 * i], half_format.bits(static_cast<int>(in[i]), Rounding::nearest)) << in[i];
    EXPECT_EQ(b[4 * i + 1], half_format.bits(in[i], Rounding::nearest)) << in[i];
    EXPECT_EQ(b[4 * i + 2], bfloat_format.bits(in[i], Rounding::nearest)) << in[i];
    EXPECT_EQ(b[4 * i + 3], bfloat_format.bits(static_cast<unsigned>(in[i]), Rounding::zero)) << in[i];
    const double whole = half_format.value(half_format.bits(static_cast<int>(in[i] % 100000), Rounding::nearest));
    const double h = half_format.value(half_format.bits(whole / 8, Rounding::nearest));
    const auto saturated = [](double x) {
      return static_cast<int>(std::fmin(std::fmax(x, -2147483648.0), 2147483647.0));
    };
    EXPECT_EQ(o[5 * i], saturated(std::nearbyint(h)));
    EXPECT_EQ(o[5 * i + 1], saturated(std::trunc(h)));
    EXPECT_EQ(o[5 * i + 2], saturated(std::ceil(h)));
    EXPECT_EQ(o[5 * i + 3], saturated(std::floor(h)));
    EXPECT_EQ(o[5 * i + 4], static_cast<int>(std::fmin(std::fmax(std::trunc(h), -32768.0), 32767.0)));
  }
}

__global__ void pairs_on_device(const __half2* in, __half2* out, float2* floats, unsigned* masks) {
  const __half2 a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  out[threadIdx.x * 4] = __hfma2(a, b, __half2half2(__float2half(0.5f)));
  out[threadIdx.x * 4 + 1] = __lowhigh2highlow(a) + b;
  out[threadIdx.x * 4 + 2] = __shfl_xor_sync(0xffffffffu, a, 1);
  out[threadIdx.x * 4 + 3] = __hmax2(a, __halves2half2(__low2half(b), __high2half(b)));
  floats[threadIdx.x] = __half22float2(h2sqrt(__habs2(a)));
  masks[threadIdx.x] = __hgt2_mask(a, b);
}

TEST(SmallFloat, PairsActOnBothParts) {
  std::vector<__half2> in;
  for (int i = 0; i < 64; ++i) in.push_back(__floats2half2_rn(i * 0.25f - 3, 5 - i * 0.5f));
  DeviceArray<__half2> device_in(in), out(32 * 4);
  DeviceArray<float2> floats(32);
  DeviceArray<unsigned> masks(32);
  pairs_on_device<<<1, 32>>>(device_in, out, floats, masks);
  const auto o = out.host();
  const auto f = floats.host();
  const auto m = masks.host();
  for (int t = 0; t < 32; ++t) {
    const float2 a = __half22float2(in[2 * t]), b = __half22float2(in[2 * t + 1]), n = __half22float2(in[2 * (t ^ 1)]);
    const auto near = [](float x) { return half_format.value(half_format.bits(x, Rounding::nearest)); };
    EXPECT_EQ(__low2float(o[4 * t]), near(a.x * b.x + 0.5f));
    EXPECT_EQ(__high2float(o[4 * t]), near(a.y * b.y + 0.5f));
    EXPECT_EQ(__low2float(o[4 * t + 1]), a.y + b.x);
    EXPECT_EQ(__high2float(o[4 * t + 2]), n.y);
    EXPECT_EQ(__low2float(o[4 * t + 3]), std::fmax(a.x, b.x));
    EXPECT_NEAR(f[t].x, std::sqrt(std::fabs(a.x)), 1e-3);
    EXPECT_EQ(m[t], (a.x > b.x ? 0xffffu : 0) | (a.y > b.y ? 0xffff0000u : 0));
  }
}

template <class T>
__global__ void add_atomically(T* sum, typename Traits<T>::Pair* pair) {
  atomicAdd(sum, T(0.25f));
  const typename Traits<T>::Pair amount(T(1.0f), T(-0.5f));
  atomicAdd(pair, amount);
}

TEST(SmallFloat, AtomicAdditionLosesNothing) {
  DeviceArray<__half> half(std::vector<__half>{__float2half(1.0f)});
  DeviceArray<__half2> half2(std::vector<__half2>{__floats2half2_rn(0.0f, 0.0f)});
  add_atomically<__half><<<4, 64>>>(half, half2);
  EXPECT_EQ(__half2float(half.host()[0]), 65.0f);
  EXPECT_EQ(__low2float(half2.host()[0]), 256.0f);
  EXPECT_EQ(__high2float(half2.host()[0]), -128.0f);
  DeviceArray<__nv_bfloat16> brain(std::vector<__nv_bfloat16>{__float2bfloat16(0.0f)});
  DeviceArray<__nv_bfloat162> brain2(std::vector<__nv_bfloat162>{__floats2bfloat162_rn(0.0f, 0.0f)});
  add_atomically<__nv_bfloat16><<<1, 64>>>(brain, brain2);
  EXPECT_EQ(__bfloat162float(brain.host()[0]), 16.0f);
  EXPECT_EQ(__low2float(brain2.host()[0]), 64.0f);
}

}  // namespace
