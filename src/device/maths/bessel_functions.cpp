// Bessel functions. Those of the first and second kind are the C library's; floats go through double.
#include <boost/math/special_functions/bessel.hpp>

#include <cmath>

#include "device/maths/maths.h"

namespace {

using Quiet = boost::math::policies::policy<
    boost::math::policies::domain_error<boost::math::policies::ignore_error>,
    boost::math::policies::pole_error<boost::math::policies::ignore_error>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

template <class Real>
Real modified_bessel(int order, Real x) {
  if (x != x) return x;
  // Beyond this the result is infinite, and infinity itself is no argument for the series.
  if (std::abs(x) > 800) return order == 1 && x < 0 ? -HUGE_VAL : HUGE_VAL;
  return boost::math::cyl_bessel_i(order, x, Quiet());
}

}  // namespace

REPRISE_MATHS double __nv_j0(double x) { return std::isinf(x) ? 0.0 : j0(x); }
REPRISE_MATHS double __nv_j1(double x) { return std::isinf(x) ? std::copysign(0.0, x) : j1(x); }
REPRISE_MATHS double __nv_jn(int n, double x) { return n < 0 ? NAN : jn(n, x); }
REPRISE_MATHS double __nv_y0(double x) { return x < 0 ? NAN : y0(x); }
REPRISE_MATHS double __nv_y1(double x) { return x < 0 ? NAN : y1(x); }
REPRISE_MATHS double __nv_yn(int n, double x) { return n < 0 || x < 0 ? NAN : yn(n, x); }
REPRISE_MATHS float __nv_j0f(float x) { return static_cast<float>(__nv_j0(x)); }
REPRISE_MATHS float __nv_j1f(float x) { return static_cast<float>(__nv_j1(x)); }
REPRISE_MATHS float __nv_jnf(int n, float x) { return static_cast<float>(__nv_jn(n, x)); }
REPRISE_MATHS float __nv_y0f(float x) { return static_cast<float>(__nv_y0(x)); }
REPRISE_MATHS float __nv_y1f(float x) { return static_cast<float>(__nv_y1(x)); }
REPRISE_MATHS float __nv_ynf(int n, float x) { return static_cast<float>(__nv_yn(n, x)); }

REPRISE_MATHS double __nv_cyl_bessel_i0(double x) { return static_cast<double>(modified_bessel<long double>(0, x)); }
REPRISE_MATHS double __nv_cyl_bessel_i1(double x) { return static_cast<double>(modified_bessel<long double>(1, x)); }
REPRISE_MATHS float __nv_cyl_bessel_i0f(float x) { return static_cast<float>(modified_bessel<double>(0, x)); }
REPRISE_MATHS float __nv_cyl_bessel_i1f(float x) { return static_cast<float>(modified_bessel<double>(1, x)); }
