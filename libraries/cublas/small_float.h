// Rows of 16-bit floating-point numbers to and from single precision.
#pragma once

#include <cstring>

#include "gemm.h"

namespace reprise_cublas {

inline size_t size_of(Element element) {
  switch (element) {
    case Element::c64:
      return 16;
    case Element::f64:
    case Element::c32:
      return 8;
    case Element::f32:
      return 4;
    default:
      return 2;
  }
}

inline float float_of_bits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline uint32_t bits_of_float(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// To nearest, ties to even; a NaN stays one.
inline uint16_t bf16_of_float(float value) {
  const uint32_t bits = bits_of_float(value);
  if (value != value) return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

inline void widen(Element element, const void* from, int count, float* to) {
  if (element == Element::f16) {
    const auto* halves = static_cast<const _Float16*>(from);
    for (int i = 0; i < count; ++i) to[i] = static_cast<float>(halves[i]);
  } else {
    const auto* bits = static_cast<const uint16_t*>(from);
    for (int i = 0; i < count; ++i) to[i] = float_of_bits(uint32_t{bits[i]} << 16);
  }
}

inline float widened(Element element, const void* from) {
  float value;
  widen(element, from, 1, &value);
  return value;
}

inline void narrow(Element element, const float* from, int count, void* to) {
  if (element == Element::f16) {
    auto* halves = static_cast<_Float16*>(to);
    for (int i = 0; i < count; ++i) halves[i] = static_cast<_Float16>(from[i]);
  } else {
    auto* bits = static_cast<uint16_t*>(to);
    for (int i = 0; i < count; ++i) bits[i] = bf16_of_float(from[i]);
  }
}

}  // namespace reprise_cublas
