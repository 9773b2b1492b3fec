// Bessel functions. Those of the first and second kind are the C library's, except near their zeros below 8: its error
// there is small only against one, so a polynomial around the zero takes over. Floats go through double.
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <cstddef>

#include "device/maths/maths.h"

namespace {

using Quiet =
    boost::math::policies::policy<boost::math::policies::domain_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::pole_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

// f(z + d) = d (c[0] + c[1] d + ...) around a zero z, which is the sum of two numbers.
struct Zero {
  double z, z_rest, radius, c[17];
};
constexpr Zero zeros_of_j0[] = {
    {2.4048255576957729,
     -1.176691651530894e-16,
     0.25,
     {-0.51914749728946674, 0.1079387017549201, 0.056601774437946228, -0.0086576695933049137, -0.0021942003590161561,
      0.00026437703675268037, 4.3729192729065442e-05, -4.338826287641331e-06, -5.3049143828116561e-07,
      4.4700532646865834e-08, 4.3265633963544432e-09, -3.1632856283255425e-10, -2.5316254089846819e-11}},
    {5.5200781102863106,
     8.0885971461467223e-17,
     0.25,
     {0.34026480655836816, -0.030820651425593648, -0.052988552867604628, 0.0046310421459076446, 0.0022574402290329002,
      -0.00017518572899414281, -4.6521090739741923e-05, 3.1997869060065476e-06, 5.7164907072083984e-07,
      -3.5115338005534787e-08, -4.683394325620986e-09, 2.5894063217452533e-10, 2.7427983243181967e-11}},
};
constexpr Zero zeros_of_j1[] = {
    {3.8317059702075125,
     -1.5269184090088067e-16,
     0.25,
     {-0.40275939570255298, 0.052556145856977238, 0.053410444132724812, -0.0051797192456385704, -0.0022331253391474782,
      0.00017466429072010705, 4.6208701297457032e-05, -3.0368633795587096e-06, -5.7278057344018363e-07,
      3.2482843218646554e-08, 4.7353785998333825e-09, -2.3596660514690856e-10, -2.7963550702484538e-11}},
    {7.0155866698156188,
     -9.4141656534103889e-17,
     0.25,
     {0.30011575252613254, -0.021389212809341581, -0.04697047894974149, 0.0031302917260480909, 0.0021055871432482764,
      -0.0001255079095514437, -4.4991475302929329e-05, 2.4015807956423486e-06, 5.665270010808187e-07,
      -2.7273409890625091e-08, -4.7204810296964024e-09, 2.0630715144381611e-10, 2.7980456454240112e-11}},
};
constexpr Zero zeros_of_y0[] = {
    {0.89357696627916749,
     2.6596231539720385e-17,
     0.18,
     {0.87942080249719479, -0.49207893426297744, 0.22055282848167632, -0.22612171354430949, 0.21894842701053638,
      -0.20487719784312447, 0.19733566926221166, -0.19395010277498476, 0.19337619863727235, -0.19506368037989866,
      0.19866545546364514, -0.20403413348005126, 0.21089784460671646, -0.2168133784675885, 0.22650350086364804,
      -0.2808181112250796, 0.29614551433026287}},
    {3.957678419314858,
     -1.0764340697562706e-16,
     0.25,
     {-0.40254267177502423, 0.050855909592158237, 0.058523822105170244, -0.0068525666771110183, -0.0021835188740493526,
      0.00019526940245301729, 5.092291380602139e-05, -4.8933694400363349e-06, -2.9348811896903133e-07,
      -2.1850435460403012e-08, 1.892737599010675e-08, -3.6948025518763749e-09, 7.7607795678709121e-10}},
    {7.0860510603017728,
     -8.8352857230854081e-17,
     0.25,
     {0.30009761491047521, -0.02117523655676953, -0.048024070076259875, 0.0033183482688956315, 0.002175984016443104,
      -0.00014060259774080827, -4.5951406706883104e-05, 2.7013637919587631e-06, 5.7493495689949325e-07,
      -3.0984681714427263e-08, -4.7172196985203855e-09, 2.3002817179825826e-10, 2.8244909816599222e-11}},
};
constexpr Zero zeros_of_y1[] = {
    {2.1971413260310171,
     -4.8259835876454966e-17,
     0.25,
     {0.52078641240226753, -0.11851454574909569, -0.032857397405286828, -0.0047978116705191757, 0.0074225533328960919,
      -0.0025952416353671307, 0.0010668529759390096, -0.00050960419986284717, 0.00023587130381813519,
      -0.00010768353316911239, 4.9209225060096105e-05, -2.3467237234674008e-05, 1.0708861722165114e-05}},
    {5.4296810407941347,
     4.162514026670377e-16,
     0.25,
     {-0.34031804552344058, 0.031338677444086686, 0.050947939743420094, -0.0041601159343906914, -0.0021659987510881172,
      0.00014662089289349197, 4.6458679061168686e-05, -2.8638625398761344e-06, -5.4644206501258817e-07,
      2.5505215722452875e-08, 5.5980159763419901e-09, -3.8646837020212757e-10, 2.5152512492372693e-12}},
};

template <std::size_t count>
double with_zeros(double (*function)(double), const Zero (&zeros)[count], double x) {
  for (const Zero& zero : zeros) {
    const double d = (x - zero.z) - zero.z_rest;
    if (std::abs(d) > zero.radius) continue;
    double sum = 0;
    for (int i = 16; i >= 0; --i) sum = sum * d + zero.c[i];
    return d * sum;
  }
  return function(x);
}

template <class Real>
Real modified_bessel(int order, Real x) {
  if (x != x) return x;
  // Beyond this the result is infinite, and infinity itself is no argument for the series.
  if (std::abs(x) > 800) return order == 1 && x < 0 ? -HUGE_VAL : HUGE_VAL;
  return boost::math::cyl_bessel_i(order, x, Quiet());
}

}  // namespace

REPRISE_MATHS double __nv_j0(double x) { return std::isinf(x) ? 0.0 : with_zeros(j0, zeros_of_j0, std::abs(x)); }
REPRISE_MATHS double __nv_j1(double x) {
  if (std::isinf(x)) return std::copysign(0.0, x);
  const double of_magnitude = with_zeros(j1, zeros_of_j1, std::abs(x));
  return std::signbit(x) ? -of_magnitude : of_magnitude;
}
REPRISE_MATHS double __nv_jn(int n, double x) { return n < 0 ? NAN : jn(n, x); }
REPRISE_MATHS double __nv_y0(double x) { return x < 0 ? NAN : with_zeros(y0, zeros_of_y0, x); }
REPRISE_MATHS double __nv_y1(double x) { return x < 0 ? NAN : with_zeros(y1, zeros_of_y1, x); }
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
