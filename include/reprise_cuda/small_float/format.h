// The two 16-bit formats as bits: half (5 bits of exponent, 10 of mantissa) and bfloat16 (8 and 7). All functions work
// in host and device code and round once, to nearest even unless the name has a direction.
#pragma once

#include <host_defines.h>

#include <string.h>

#define __REPRISE_BOTH__ static __host__ __device__ __forceinline__

namespace __reprise_small {

__REPRISE_BOTH__ unsigned float_bits(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
__REPRISE_BOTH__ float float_of(unsigned bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
__REPRISE_BOTH__ unsigned long long double_bits(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
__REPRISE_BOTH__ double double_of(unsigned long long bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

struct half_format {
  static constexpr unsigned short infinity = 0x7c00, largest = 0x7bff, not_a_number = 0x7fff;

  static __host__ __device__ __forceinline__ float to_float(unsigned short bits) {
#if defined(__clang__)
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return static_cast<float>(half);
#else
    const unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31, mantissa = bits & 0x3ffu;
    if (exponent == 31) return float_of(sign | 0x7f800000u | mantissa << 13);
    if (exponent == 0) return static_cast<float>(mantissa) * (sign ? -0x1p-24f : 0x1p-24f);
    return float_of(sign | (exponent + 112) << 23 | mantissa << 13);
#endif
  }
  static __host__ __device__ __forceinline__ unsigned short nearest(float x) {
    if (x != x) return not_a_number;
#if defined(__clang__)
    const _Float16 half = static_cast<_Float16>(x);
    unsigned short bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
#else
    const unsigned bits = float_bits(x), sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x477ff000u) return static_cast<unsigned short>(sign | infinity);
    if (magnitude < 0x38800000u) {
      // Adding 1/2 leaves the rounded bits of the subnormal number at the bottom of the mantissa.
      return static_cast<unsigned short>(sign | (float_bits(float_of(magnitude) + 0.5f) - 0x3f000000u));
    }
    return static_cast<unsigned short>(sign | ((magnitude + 0xfffu + (magnitude >> 13 & 1) - 0x38000000u) >> 13));
#endif
  }
};

struct bfloat_format {
  static constexpr unsigned short infinity = 0x7f80, largest = 0x7f7f, not_a_number = 0x7fff;

  static __host__ __device__ __forceinline__ float to_float(unsigned short bits) {
    return float_of(static_cast<unsigned>(bits) << 16);
  }
  static __host__ __device__ __forceinline__ unsigned short nearest(float x) {
    const unsigned bits = float_bits(x);
    return x != x ? not_a_number : static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
  }
};

// Converts a double to a float, rounded to odd: the last bit of an inexact result is one, so that rounding it again to
// fewer bits equals rounding the double once.
__REPRISE_BOTH__ float to_odd(double x) {
  const float nearest = static_cast<float>(x);
  if (static_cast<double>(nearest) == x || x != x) return nearest;
  const double magnitude = x < 0 ? -x : x, rounded = nearest < 0 ? -static_cast<double>(nearest) : nearest;
  return float_of((float_bits(nearest) - (rounded > magnitude ? 1u : 0u)) | 1u);
}

// a * b + c in double, rounded to odd. The product of two 16-bit numbers is exact there.
__REPRISE_BOTH__ double multiply_add_to_odd(float a, float b, float c) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  const double product = static_cast<double>(a) * b, addend = c, sum = product + addend;
  const double of_addend = sum - product, rest = (product - (sum - of_addend)) + (addend - of_addend);
  const unsigned long long bits = double_bits(sum);
  if (rest == 0 || rest != rest || (bits & 1) != 0) return sum;
  return double_of((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

template <class Format>
__REPRISE_BOTH__ unsigned short nearest(double x) {
  return Format::nearest(to_odd(x));
}

// The next number up or down, of one that is neither NaN nor the infinity in that direction.
__REPRISE_BOTH__ unsigned short next_up(unsigned short bits) {
  if ((bits & 0x7fff) == 0) return 1;
  return static_cast<unsigned short>(bits & 0x8000 ? bits - 1 : bits + 1);
}
__REPRISE_BOTH__ unsigned short next_down(unsigned short bits) {
  return static_cast<unsigned short>(next_up(static_cast<unsigned short>(bits ^ 0x8000)) ^ 0x8000);
}
template <class Format>
__REPRISE_BOTH__ unsigned short up(double x) {
  const unsigned short bits = nearest<Format>(x);
  return Format::to_float(bits) < x ? next_up(bits) : bits;
}
template <class Format>
__REPRISE_BOTH__ unsigned short down(double x) {
  const unsigned short bits = nearest<Format>(x);
  return Format::to_float(bits) > x ? next_down(bits) : bits;
}
template <class Format>
__REPRISE_BOTH__ unsigned short toward_zero(double x) {
  return x > 0 ? down<Format>(x) : up<Format>(x);
}

// Converts an integer to a double, rounded to odd.
__REPRISE_BOTH__ double exact_enough(unsigned long long x) {
  return static_cast<double>(x >> 53 == 0 ? x : (x >> 11 | ((x & 0x7ff) != 0)) << 11);
}
__REPRISE_BOTH__ double exact_enough(long long x) {
  return x < 0 ? -exact_enough(0ull - static_cast<unsigned long long>(x))
               : exact_enough(static_cast<unsigned long long>(x));
}

// Saturating conversions to integers. As on a GPU, a NaN becomes zero, or the least 64-bit integer.
template <class Integer>
__REPRISE_BOTH__ Integer saturated(float x) {
  constexpr bool has_sign = static_cast<Integer>(-1) < static_cast<Integer>(0);
  constexpr int bits = 8 * sizeof(Integer);
  constexpr unsigned long long top = 1ull << (bits - 1);
  const float beyond = static_cast<float>(top) * (has_sign ? 1.0f : 2.0f);
  if (x != x) return bits == 64 ? static_cast<Integer>(top) : static_cast<Integer>(0);
  if (x >= beyond) return static_cast<Integer>(has_sign ? top - 1 : top - 1 + top);
  if (x < (has_sign ? -beyond : 0.0f)) return static_cast<Integer>(has_sign ? top : 0);
  return static_cast<Integer>(x);
}

}  // namespace __reprise_small

#undef __REPRISE_BOTH__
