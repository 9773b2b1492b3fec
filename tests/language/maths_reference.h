// Exact values of the functions that the C library lacks, in long double.
#pragma once

#include <cmath>
#include <limits>

namespace reference {

using Wide = long double;
constexpr Wide pi = 3.14159265358979323846264338327950288L;

inline Wide reduced_sine_pi(Wide r) { return std::sin(pi * r); }  // |r| <= 1/4
inline Wide reduced_cosine_pi(Wide r) { return std::cos(pi * r); }
inline Wide sinpi(Wide x) {
  if (!std::isfinite(x)) return std::numeric_limits<Wide>::quiet_NaN();
  const Wide r = std::remainder(x, 2.0L), a = std::fabs(r), sign = std::signbit(x) ? -1 : 1, of_r = r < 0 ? -1 : 1;
  if (a == 0 || a == 1) return sign * 0.0L;
  if (a <= 0.25L) return of_r * reduced_sine_pi(a);
  if (a >= 0.75L) return of_r * reduced_sine_pi(1 - a);
  return of_r * reduced_cosine_pi(a - 0.5L);
}
inline Wide cospi(Wide x) {
  if (!std::isfinite(x)) return std::numeric_limits<Wide>::quiet_NaN();
  const Wide a = std::fabs(std::remainder(x, 2.0L));
  if (a == 0.5L) return 0;
  if (a <= 0.25L) return reduced_cosine_pi(a);
  if (a >= 0.75L) return -reduced_cosine_pi(1 - a);
  return reduced_sine_pi(0.5L - a);
}
inline Wide rsqrt(Wide x) { return 1 / std::sqrt(x); }
inline Wide rcbrt(Wide x) { return 1 / std::cbrt(x); }
inline Wide exp10(Wide x) { return std::pow(10.0L, x); }

// e^(x*x) with the square's rounding error put back.
inline Wide exp_of_square(Wide x) {
  const Wide square = x * x;
  if (!(square < 11356)) return square == square ? std::numeric_limits<Wide>::infinity() : square;
  return std::exp(square) * (1 + std::fma(x, x, -square));
}
// Lentz's continued fraction for large x; the product of its two factors otherwise.
inline Wide erfcx(Wide x) {
  if (std::isnan(x)) return x;
  if (x < 0) return 2 * exp_of_square(x) - erfcx(-x);
  if (x < 8) return exp_of_square(x) * std::erfc(x);
  Wide fraction = x;
  for (int k = 200; k > 0; --k) fraction = x + k / 2.0L / fraction;
  return 1 / (fraction * std::sqrt(pi));
}
inline Wide normcdf(Wide x) {
  // erfc(-x/sqrt 2), with the quotient's rounding error put back through the derivative.
  const Wide root_half = 0.707106781186547524400844362104849039L, root_half_rest = -1.45733451999136955e-20L;
  const Wide y = -x * root_half, rest = std::fma(-x, root_half, -y) - x * root_half_rest;
  const Wide value = std::erfc(y);
  return std::isfinite(x) ? 0.5L * (value - 2 / std::sqrt(pi) * std::exp(-y * y) * rest) : 0.5L * value;
}

// The inverse by Newton's method on whichever of erf and erfc has no cancellation.
inline Wide erfcinv(Wide x);
inline Wide erfinv(Wide x) {
  if (x == 0) return x;
  if (std::fabs(x) == 1) return x * std::numeric_limits<Wide>::infinity();
  if (!(std::fabs(x) < 1)) return std::numeric_limits<Wide>::quiet_NaN();
  if (std::fabs(x) > 0.5L) return std::copysign(erfcinv(1 - std::fabs(x)), x);
  Wide y = x * std::sqrt(pi) / 2;
  for (int i = 0; i < 60; ++i) {
    const Wide step = (std::erf(y) - x) * std::sqrt(pi) / 2 * std::exp(y * y);
    y -= step;
    if (std::fabs(step) <= std::fabs(y) * 1e-20L) break;
  }
  return y;
}
inline Wide erfcinv(Wide x) {
  if (x == 0) return std::numeric_limits<Wide>::infinity();
  if (x == 2) return -std::numeric_limits<Wide>::infinity();
  if (!(x > 0 && x < 2)) return std::numeric_limits<Wide>::quiet_NaN();
  if (x > 1) return -erfcinv(2 - x);
  if (x > 0.5L) return erfinv(1 - x);
  // log erfc is almost a parabola: Newton's method on it converges from any start.
  Wide y = std::sqrt(-std::log(x));
  for (int i = 0; i < 200; ++i) {
    const Wide scaled = erfcx(y), value = std::log(scaled) - y * y - std::log(x);
    const Wide step = value / (-2 / (std::sqrt(pi) * scaled));
    y -= step;
    if (std::fabs(step) <= std::fabs(y) * 1e-20L) break;
  }
  return y;
}
inline Wide normcdfinv(Wide x) {
  if (!(x >= 0 && x <= 1)) return std::numeric_limits<Wide>::quiet_NaN();
  return x > 0.5L ? std::sqrt(2.0L) * erfinv(2 * x - 1) : -std::sqrt(2.0L) * erfcinv(2 * x);
}

// Bessel functions of order 0 and 1. The C library's are right against one; near a zero, where that is not enough, the
// Taylor series around it follows from the differential equation x^2 y'' + x y' + (x^2 - order^2) y = 0.
struct Zero {
  Wide z, rest;  // the zero is their sum
};
inline Wide around_zero(const Zero& zero, int order, Wide slope, Wide d) {
  const Wide z = zero.z;
  Wide a[48] = {0, slope}, sum = 0, power = 1;
  for (int k = 0; k + 2 < 48; ++k)
    a[k + 2] = -(z * (k + 1) * (2 * k + 1) * a[k + 1] + (static_cast<Wide>(k * k) + z * z - order) * a[k] +
                 (k >= 1 ? 2 * z * a[k - 1] : 0) + (k >= 2 ? a[k - 2] : 0)) /
               (z * z * (k + 2) * (k + 1));
  for (int k = 1; k < 48; ++k) sum += a[k] * (power *= d);
  return sum;
}
template <class Slope, std::size_t count>
Wide bessel(Wide (*function)(Wide), const Zero (&zeros)[count], int order, Slope slope, Wide x) {
  for (const Zero& zero : zeros) {
    const Wide d = (x - zero.z) - zero.rest;
    if (std::fabs(d) < 0.3L) return around_zero(zero, order, slope(zero.z), d);
  }
  return function(x);
}
inline Wide bessel_j0(Wide x) {
  static const Zero zeros[] = {{2.404825557695772768546441L, 7.5190778836369324527e-20L},
                               {5.520078110286310649808955L, -2.12351040448508572222e-19L}};
  return bessel(j0l, zeros, 0, [](Wide z) { return -j1l(z); }, std::fabs(x));
}
inline Wide bessel_j1(Wide x) {
  static const Zero zeros[] = {{3.831705970207512315650611L, -3.61750149216503672523e-20L},
                               {7.015586669815618753569958L, -3.29079623621061105848e-20L}};
  return std::copysign(1.0L, x) * bessel(j1l, zeros, 1, [](Wide z) { return j0l(z); }, std::fabs(x));
}
inline Wide bessel_y0(Wide x) {
  static const Zero zeros[] = {{0.8935769662791675216058189L, -2.0931794798749210965e-20L},
                               {3.957678419314857868466229L, -9.055146506501796958e-20L},
                               {7.086051060301772697505585L, 1.18040043963080694998e-19L}};
  return x < 0 ? std::numeric_limits<Wide>::quiet_NaN() : bessel(y0l, zeros, 0, [](Wide z) { return -y1l(z); }, x);
}
inline Wide bessel_y1(Wide x) {
  static const Zero zeros[] = {{2.197141326031017035053453L, 9.55810163985319948161e-20L},
                               {5.429681040794135132854237L, -8.22315673960052706735e-20L}};
  return x < 0 ? std::numeric_limits<Wide>::quiet_NaN() : bessel(y1l, zeros, 1, [](Wide z) { return y0l(z); }, x);
}

// Power series; all terms are positive, so nothing cancels.
inline Wide cyl_bessel_i(int order, Wide x) {
  if (std::isnan(x)) return x;
  if (std::fabs(x) > 12000)
    return order == 1 && x < 0 ? -std::numeric_limits<Wide>::infinity() : std::numeric_limits<Wide>::infinity();
  const Wide quarter = x * x / 4;
  Wide term = order == 1 ? x / 2 : 1, sum = term;
  for (int k = 1; k < 20000; ++k) {
    term *= quarter / (static_cast<Wide>(k) * (k + order));
    sum += term;
    if (std::fabs(term) < std::fabs(sum) * 1e-22L) break;
  }
  return sum;
}
inline Wide cyl_bessel_i0(Wide x) { return cyl_bessel_i(0, x); }
inline Wide cyl_bessel_i1(Wide x) { return cyl_bessel_i(1, x); }

}  // namespace reference
