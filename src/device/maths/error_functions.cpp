// The error function's relatives. Doubles are computed in long double and floats in double, with the error left over
// far below CUDA's bounds; Boost.Math has the inverses.
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "device/maths/maths.h"

namespace {

using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

constexpr long double one_over_root_pi = 0.564189583547756286948079451560772586L;
constexpr long double root_half = 0.707106781186547524400844362104849039L;
constexpr long double root_two = 1.41421356237309504880168872420969808L;

// e^(x*x) erfc(x) for x >= 0. Far out both factors leave the range of numbers while their product does not: there the
// asymptotic series 1/(x sqrt(pi)) (1 - 1/(2x^2) + 1*3/(2x^2)^2 - ...) takes over.
template <class Real>
Real erfcx_of_positive(Real x) {
  if (x < 10) return std::exp(x * x) * std::erfc(x);
  const Real step = -1 / (2 * x * x);
  Real term = 1, sum = 1;
  for (int k = 1; k < 24; ++k) {
    term *= step * (2 * k - 1);
    sum += term;
  }
  return static_cast<Real>(one_over_root_pi) * sum / x;
}

template <class Real>
Real erfcx(Real x) {
  if (x != x) return x;
  return x < 0 ? 2 * std::exp(x * x) - erfcx_of_positive(-x) : erfcx_of_positive(x);
}

template <class Real>
Real erf_inverse(Real x) {
  if (x == 0) return x;
  if (x == 1 || x == -1) return x * HUGE_VALL;
  if (!(std::abs(x) < 1)) return NAN;
  return boost::math::erf_inv(x, Quiet());
}

template <class Real>
Real erfc_inverse(Real x) {
  if (x == 0) return HUGE_VALL;
  if (x == 2) return -HUGE_VALL;
  if (!(x > 0 && x < 2)) return NAN;
  return boost::math::erfc_inv(x, Quiet());
}

}  // namespace

REPRISE_MATHS double __nv_erfcx(double x) { return static_cast<double>(erfcx<long double>(x)); }
REPRISE_MATHS float __nv_erfcxf(float x) { return static_cast<float>(erfcx<double>(x)); }
REPRISE_MATHS double __nv_erfinv(double x) { return static_cast<double>(erf_inverse<long double>(x)); }
REPRISE_MATHS float __nv_erfinvf(float x) { return static_cast<float>(erf_inverse<double>(x)); }
REPRISE_MATHS double __nv_erfcinv(double x) { return static_cast<double>(erfc_inverse<long double>(x)); }
REPRISE_MATHS float __nv_erfcinvf(float x) { return static_cast<float>(erfc_inverse<double>(x)); }

REPRISE_MATHS double __nv_normcdf(double x) { return static_cast<double>(0.5L * std::erfc(-x * root_half)); }
REPRISE_MATHS float __nv_normcdff(float x) {
  return static_cast<float>(0.5 * std::erfc(-x * static_cast<double>(root_half)));
}
REPRISE_MATHS double __nv_normcdfinv(double x) {
  return static_cast<double>(-root_two * erfc_inverse(2 * static_cast<long double>(x)));
}
REPRISE_MATHS float __nv_normcdfinvf(float x) {
  return static_cast<float>(-static_cast<double>(root_two) * erfc_inverse(2 * static_cast<double>(x)));
}
