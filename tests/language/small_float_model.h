// A model of 16-bit floating-point formats in long double, to compare implementations with.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

enum class Rounding { nearest, zero, up, down };

// A format by its widths: the exact value of bits, and the bits nearest to a value.
struct Format {
  int mantissa, exponent_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }

  double value(unsigned short bits) const {
    const int exponent = bits >> mantissa & ((1 << exponent_bits) - 1), fraction = bits & ((1 << mantissa) - 1);
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == (1 << exponent_bits) - 1)
      return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias() - mantissa);
    return sign * std::ldexp(fraction + (1 << mantissa), exponent - bias() - mantissa);
  }

  unsigned short bits(long double x, Rounding rounding) const {
    const unsigned short infinity = static_cast<unsigned short>(((1 << exponent_bits) - 1) << mantissa);
    if (std::isnan(x)) return 0x7fff;
    const unsigned short sign = std::signbit(x) ? 0x8000 : 0;
    if (std::isinf(x)) return sign | infinity;
    long double magnitude = std::fabs(x);
    if (magnitude == 0) return sign;
    int exponent = std::max(std::ilogb(magnitude), 1 - bias());
    const long double scaled = std::ldexp(magnitude, mantissa - exponent), whole = std::floor(scaled);
    const long double rest = scaled - whole;
    const bool away = rounding == Rounding::up ? !sign : rounding == Rounding::down ? bool(sign) : false;
    bool more = away && rest > 0;
    if (rounding == Rounding::nearest) more = rest > 0.5L || (rest == 0.5L && std::fmod(whole, 2.0L) == 1);
    const long double steps = whole + (more ? 1 : 0);
    // Counting up from zero, the bit patterns are the numbers in order.
    const long double index = steps + static_cast<long double>(exponent - (1 - bias())) * (1 << mantissa);
    if (index >= infinity) {
      const bool to_infinity = rounding == Rounding::nearest || away;
      return sign | static_cast<unsigned short>(to_infinity ? infinity : infinity - 1);
    }
    return sign | static_cast<unsigned short>(index);
  }
};
constexpr Format half_format{10, 5}, bfloat_format{7, 8};
