// The formats of 8, 6 and 4 bits as codes in a byte: sign, exponent, mantissa. Encoding rounds once, from double, which
// represents every float and 16-bit float exactly.
#pragma once

#include <device_types.h>
#include <host_defines.h>

#include <reprise_cuda/small_float/format.h>

namespace __reprise_small {

#define __REPRISE_BOTH__ static __host__ __device__ __forceinline__

struct e4m3 {
  static constexpr int mantissa_bits = 3, bias = 7;
  static constexpr unsigned sign = 0x80, largest = 0x7e, overflow = 0x7f, not_a_number = 0x7f;
  static constexpr bool saturates = false;
};
struct e5m2 {
  static constexpr int mantissa_bits = 2, bias = 15;
  static constexpr unsigned sign = 0x80, largest = 0x7b, overflow = 0x7c, not_a_number = 0x7f;
  static constexpr bool saturates = false;
};
// These have no NaN: one becomes the largest number.
struct e3m2 {
  static constexpr int mantissa_bits = 2, bias = 3;
  static constexpr unsigned sign = 0x20, largest = 0x1f, overflow = largest, not_a_number = largest;
  static constexpr bool saturates = true;
};
struct e2m3 {
  static constexpr int mantissa_bits = 3, bias = 1;
  static constexpr unsigned sign = 0x20, largest = 0x1f, overflow = largest, not_a_number = largest;
  static constexpr bool saturates = true;
};
struct e2m1 {
  static constexpr int mantissa_bits = 1, bias = 1;
  static constexpr unsigned sign = 0x8, largest = 0x7, overflow = largest, not_a_number = largest;
  static constexpr bool saturates = true;
};

// 2 to the power of n, for n in the range of normal doubles.
__REPRISE_BOTH__ double power_of_two(int n) { return double_of(static_cast<unsigned long long>(n + 1023) << 52); }

// Converts x, 0 <= x < 2^52, to an integer.
__REPRISE_BOTH__ unsigned long long rounded(double x, cudaRoundMode mode, bool negative) {
  const unsigned long long whole = static_cast<unsigned long long>(x);
  const double rest = x - static_cast<double>(whole);
  if (rest == 0) return whole;
  switch (mode) {
    case cudaRoundZero:
      return whole;
    case cudaRoundPosInf:
      return whole + !negative;
    case cudaRoundMinInf:
      return whole + negative;
    default:
      return whole + (rest > 0.5 || (rest == 0.5 && (whole & 1)));
  }
}

template <class Format>
__REPRISE_BOTH__ unsigned char encode(double x, bool saturate, cudaRoundMode mode = cudaRoundNearest) {
  if (x != x) return static_cast<unsigned char>(Format::not_a_number);
  const unsigned long long bits = double_bits(x);
  const bool negative = bits >> 63 != 0;
  const unsigned sign = negative ? Format::sign : 0;
  constexpr int least_exponent = 1 - Format::bias;
  const int own_exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const int exponent = own_exponent < least_exponent ? least_exponent : own_exponent;
  // An exponent larger than any format's is out of range, and scaling it would overflow.
  unsigned code = 0x100;
  if (exponent < 32) {
    const double scaled = (negative ? -x : x) * power_of_two(Format::mantissa_bits - exponent);
    code = (static_cast<unsigned>(exponent - least_exponent) << Format::mantissa_bits) +
           static_cast<unsigned>(rounded(scaled, mode, negative));
  }
  if (code > Format::largest) code = saturate || Format::saturates ? Format::largest : Format::overflow;
  return static_cast<unsigned char>(sign | code);
}

template <class Format>
__REPRISE_BOTH__ float decode(unsigned code) {
  const unsigned magnitude = code & (Format::sign - 1), mantissa = magnitude & ((1u << Format::mantissa_bits) - 1);
  const int exponent = static_cast<int>(magnitude >> Format::mantissa_bits);
  const float sign = code & Format::sign ? -1.0f : 1.0f;
  if (magnitude > Format::largest)
    return magnitude == Format::overflow && Format::overflow != Format::not_a_number ? sign * float_of(0x7f800000u)
                                                                                     : float_of(0x7fffffffu);
  const unsigned whole = exponent == 0 ? mantissa : mantissa + (1u << Format::mantissa_bits);
  const int power = (exponent == 0 ? 1 : exponent) - Format::bias - Format::mantissa_bits;
  return sign * static_cast<float>(static_cast<double>(whole) * power_of_two(power));
}

// E8M0: the power of two of a block's scale, without a sign; 255 is NaN. Rounds towards zero or upwards.
__REPRISE_BOTH__ unsigned char encode_scale(double x, bool saturate, cudaRoundMode mode) {
  if (x != x) return 0xff;
  const unsigned long long bits = double_bits(x) << 1 >> 1;
  const double magnitude = double_of(bits);
  if (bits >> 52 == 0x7ff) return saturate ? 0xfe : 0xff;
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  if (exponent < -127) return mode == cudaRoundPosInf && magnitude > power_of_two(-127) ? 1 : 0;
  const int code = exponent + 127 + (mode == cudaRoundPosInf && (bits & ((1ull << 52) - 1)) != 0);
  return static_cast<unsigned char>(code <= 254 ? code : saturate ? 0xfe : 0xff);
}
__REPRISE_BOTH__ float decode_scale(unsigned code) {
  return code == 0xff ? float_of(0x7fffffffu) : static_cast<float>(power_of_two(static_cast<int>(code) - 127));
}

#undef __REPRISE_BOTH__

}  // namespace __reprise_small
