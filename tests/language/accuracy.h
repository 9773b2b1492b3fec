// Errors of functions in units in the last place of the correctly rounded result, the measure of the bounds in CUDA's
// programming guide.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace accuracy {

// Numbers in order, as integers without a gap at zero.
inline std::int64_t position(float x) {
  std::int32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? static_cast<std::int64_t>(INT32_MIN) - bits : bits;
}
inline std::int64_t position(double x) {
  std::int64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits < 0 ? INT64_MIN - bits : bits;
}

// How many numbers apart two results are. Everything but NaN is in the order, infinities next to the largest.
template <class Real>
double distance(Real got, Real expected) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got) ? 0 : HUGE_VAL;
  return std::fabs(static_cast<double>(position(got) - position(expected)));
}

template <class Real>
std::vector<Real> special_values() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> values = {0,
                              Limits::denorm_min(),
                              Limits::min() / 3,
                              Limits::min(),
                              Limits::epsilon(),
                              Real(1e-5),
                              Real(0.1),
                              Real(0.25),
                              Real(0.5),
                              Real(0.75),
                              std::nextafter(Real(1), Real(0)),
                              1,
                              std::nextafter(Real(1), Real(2)),
                              Real(1.5),
                              2,
                              Real(2.5),
                              3,
                              Real(M_PI),
                              10,
                              100,
                              1000,
                              Real(1e6),
                              Real(1e10),
                              Limits::max() / 3,
                              Limits::max(),
                              Limits::infinity()};
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  return values;
}

// `count` values spread evenly, and as many spread evenly in exponent, between the limits; and the special ones.
template <class Real>
std::vector<Real> arguments(double low, double high, int count) {
  std::vector<Real> values = special_values<Real>();
  std::mt19937_64 random(12345);
  std::uniform_real_distribution<double> evenly(0, 1);
  const double least = std::log(static_cast<double>(std::numeric_limits<Real>::min()));
  for (int i = 0; i < count; ++i) {
    values.push_back(static_cast<Real>(low + (high - low) * evenly(random)));
    const double limit = i % 2 && low < 0 ? -low : high;
    const double magnitude = std::exp(least + (std::log(limit) - least) * evenly(random));
    values.push_back(static_cast<Real>(i % 2 && low < 0 ? -magnitude : magnitude));
    const double near = std::exp(-20 + (std::log(std::fmin(limit, 1e3)) + 20) * evenly(random));
    values.push_back(static_cast<Real>(i % 2 && low < 0 ? -near : near));
  }
  return values;
}

}  // namespace accuracy
