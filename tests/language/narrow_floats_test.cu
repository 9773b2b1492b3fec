// 8-, 6- and 4-bit floating point: every code against the format's definition, and rounding against the nearest of all
// codes. Host and device code must agree.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "device_array.h"

namespace {

enum Kind { e4m3, e5m2, e2m3, e3m2, e2m1, kinds };

// A format by its definition: widths, bias, and which codes are not numbers.
struct Definition {
  int exponent_bits, mantissa_bits, bias, largest;  // the largest code that is a finite number
  int sign() const { return 1 << (exponent_bits + mantissa_bits); }
  // Of a code without its sign; also of the one that would follow the largest.
  double magnitude(int code) const {
    const int mantissa = code & ((1 << mantissa_bits) - 1), exponent = code >> mantissa_bits;
    if (exponent == 0) return std::ldexp(mantissa, 1 - bias - mantissa_bits);
    return std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
  }
  double value(int code) const { return code & sign() ? -magnitude(code & (sign() - 1)) : magnitude(code); }
  // The finite code nearest to x, of two equally near the even one; beyond the range, one more than the largest.
  int nearest(double x) const {
    if (x >= magnitude(largest + 1)) return largest + 1;
    int best = 0;
    for (int code = 1; code <= largest + 1; ++code) {
      const double old_distance = std::fabs(magnitude(best) - x), distance = std::fabs(magnitude(code) - x);
      if (distance < old_distance || (distance == old_distance && code % 2 == 0)) best = code;
    }
    return best;
  }
};
constexpr Definition definitions[kinds] = {
    {4, 3, 7, 0x7e}, {5, 2, 15, 0x7b}, {2, 3, 1, 0x1f}, {3, 2, 3, 0x1f}, {2, 1, 1, 0x7}};

// How the headers convert: the code of a number, saturating or not, and the half of a code.
__host__ __device__ int encode(Kind kind, float x, bool saturate) {
  const __nv_saturation_t limit = saturate ? __NV_SATFINITE : __NV_NOSAT;
  switch (kind) {
    case e4m3:
      return __nv_cvt_float_to_fp8(x, limit, __NV_E4M3);
    case e5m2:
      return __nv_cvt_float_to_fp8(x, limit, __NV_E5M2);
    case e2m3:
      return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest);
    case e3m2:
      return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest);
    default:
      return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest);
  }
}
__host__ __device__ float decode(Kind kind, int code) {
  switch (kind) {
    case e4m3:
      return __half2float(__half(__nv_cvt_fp8_to_halfraw(code, __NV_E4M3)));
    case e5m2:
      return __half2float(__half(__nv_cvt_fp8_to_halfraw(code, __NV_E5M2)));
    case e2m3:
      return __half2float(__half(__nv_cvt_fp6_to_halfraw(code, __NV_E2M3)));
    case e3m2:
      return __half2float(__half(__nv_cvt_fp6_to_halfraw(code, __NV_E3M2)));
    default:
      return __half2float(__half(__nv_cvt_fp4_to_halfraw(code, __NV_E2M1)));
  }
}

__global__ void convert_all(Kind kind, const float* numbers, int count, int* codes, float* values, int code_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) codes[i] = encode(kind, numbers[i], false);
  if (i < code_count) values[i] = decode(kind, i);
}

// Every value, every midpoint between two, and their neighbours; far out of range; both signs.
std::vector<float> numbers_of(const Definition& format) {
  std::vector<float> numbers{0.0f, 1e-30f, 1e30f, std::numeric_limits<float>::infinity()};
  for (int code = 0; code <= format.largest; ++code)
    for (const double x : {format.magnitude(code), (format.magnitude(code) + format.magnitude(code + 1)) / 2})
      for (const float end : {-INFINITY, 0.0f, INFINITY}) {
        const float exact = static_cast<float>(x);
        numbers.push_back(end == 0 ? exact : std::nextafter(exact, end));
      }
  for (std::size_t i = 0, count = numbers.size(); i < count; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

int expected_code(Kind kind, float x, bool saturate) {
  const Definition& format = definitions[kind];
  const int sign = std::signbit(x) ? format.sign() : 0;
  const int code = std::isinf(x) ? format.largest + 1 : format.nearest(std::fabs(x));
  if (code <= format.largest) return sign | code;
  // Without saturation E4M3 has only its NaN for what is out of range, E5M2 infinity. The others always saturate.
  return sign | (saturate || kind > e5m2 ? format.largest : kind == e4m3 ? 0x7f : 0x7c);
}

TEST(NarrowFloats, EveryCodeHasTheValueOfItsDefinition) {
  for (int kind = 0; kind < kinds; ++kind)
    for (int code = 0; code < 2 * definitions[kind].sign(); ++code) {
      const float value = decode(Kind(kind), code);
      const int magnitude = code & (definitions[kind].sign() - 1);
      if (magnitude <= definitions[kind].largest)
        EXPECT_EQ(value, definitions[kind].value(code)) << kind << " " << code;
      else if (kind == e5m2 && magnitude == 0x7c)
        EXPECT_EQ(value, code & 0x80 ? -INFINITY : INFINITY);
      else
        EXPECT_TRUE(std::isnan(value)) << kind << " " << code;
    }
}

TEST(NarrowFloats, NumbersBecomeTheNearestCode) {
  for (int kind = 0; kind < kinds; ++kind)
    for (const float x : numbers_of(definitions[kind]))
      for (const bool saturate : {false, true})
        ASSERT_EQ(encode(Kind(kind), x, saturate), expected_code(Kind(kind), x, saturate))
            << kind << " " << x << " " << saturate;
}

TEST(NarrowFloats, DeviceCodeAgrees) {
  for (int kind = 0; kind < kinds; ++kind) {
    const std::vector<float> numbers = numbers_of(definitions[kind]);
    const int count = static_cast<int>(numbers.size()), codes = 2 * definitions[kind].sign();
    DeviceArray<float> in(numbers), values(codes);
    DeviceArray<int> out(count);
    convert_all<<<(std::max(count, codes) + 127) / 128, 128>>>(Kind(kind), in, count, out, values, codes);
    const std::vector<int> got = out.host();
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(got[i], encode(Kind(kind), numbers[i], false)) << kind << " " << numbers[i];
    const std::vector<float> decoded = values.host();
    for (int code = 0; code < codes; ++code)
      if (!std::isnan(decode(Kind(kind), code)))
        ASSERT_EQ(decoded[code], decode(Kind(kind), code)) << kind << " " << code;
  }
}

TEST(NarrowFloats, NaN) {
  const float nan = std::nanf("");
  EXPECT_EQ(encode(e4m3, nan, true), 0x7f);
  EXPECT_EQ(encode(e5m2, nan, true), 0x7f);
  // With no NaN of their own: the largest number.
  EXPECT_EQ(encode(e2m3, nan, true), 0x1f);
  EXPECT_EQ(encode(e3m2, nan, true), 0x1f);
  EXPECT_EQ(encode(e2m1, nan, true), 0x7);
}

TEST(NarrowFloats, DoublesAreRoundedOnce) {
  // Just above the midpoint of 1 and the next number: as a float it would be a tie, to even.
  const double above = 1.0625 + 1e-12;
  EXPECT_EQ(__nv_cvt_double_to_fp8(above, __NV_SATFINITE, __NV_E4M3), 0x39);
  EXPECT_EQ(__nv_cvt_float_to_fp8(static_cast<float>(above), __NV_SATFINITE, __NV_E4M3), 0x38);
}

TEST(NarrowFloats, Scales) {
  for (int code = 0; code < 255; ++code) {
    const float value = __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(code)));
    EXPECT_EQ(value, std::ldexp(1.0f, code - 127)) << code;
    if (code == 0 || code == 254) continue;
    EXPECT_EQ(__nv_cvt_float_to_e8m0(value, __NV_SATFINITE, cudaRoundZero), code);
    EXPECT_EQ(__nv_cvt_float_to_e8m0(value * 1.5f, __NV_SATFINITE, cudaRoundZero), code);
    EXPECT_EQ(__nv_cvt_float_to_e8m0(value * 1.5f, __NV_SATFINITE, cudaRoundPosInf), code + 1);
  }
  EXPECT_EQ(__nv_cvt_float_to_e8m0(std::nanf(""), __NV_SATFINITE, cudaRoundZero), 0xff);
  EXPECT_EQ(__nv_cvt_float_to_e8m0(INFINITY, __NV_SATFINITE, cudaRoundZero), 0xfe);
  EXPECT_EQ(__nv_cvt_float_to_e8m0(-0.0f, __NV_SATFINITE, cudaRoundPosInf), 0);
}

TEST(NarrowFloats, ClassesHoldSeveral) {
  const __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.5f, 448));
  EXPECT_EQ(four.__x, 0x7e30c038u);
  EXPECT_EQ(static_cast<float4>(four).y, -2.0f);
  const __nv_fp4x2_e2m1 two(make_float2(6, -0.5f));
  EXPECT_EQ(two.__x, 0x97);
  EXPECT_EQ(__half2float(__half(__nv_fp8_e5m2(1.75f))), 1.75f);
  EXPECT_EQ(static_cast<int>(__nv_fp8_e4m3(-3.5f)), -3);
  EXPECT_EQ(static_cast<float>(__nv_fp6_e3m2(100)), 28.0f);
  EXPECT_TRUE(static_cast<bool>(__nv_fp8_e4m3(0.25f)));
}

}  // namespace
