#!/usr/bin/env python3
"""The maths functions that .cu files have without any #include: nvcc declares the C++ library's overloads in the global
namespace before the first line. Every expectation was verified with nvcc 13.0: REPRISE_NVCC=/usr/local/cuda/bin/nvcc."""
import unittest

from driver_case import DriverCase

FLOAT = """abs(f) fabs(f) sqrt(f) pow(f,f) exp(f) exp2(f) exp10(f) expm1(f) log(f) log2(f) log10(f) log1p(f) sin(f) cos(f)
tan(f) asin(f) acos(f) atan(f) atan2(f,f) sinh(f) cosh(f) tanh(f) asinh(f) acosh(f) atanh(f) floor(f) ceil(f) round(f)
rint(f) nearbyint(f) trunc(f) fmod(f,f) remainder(f,f) remquo(f,f,&i) ldexp(f,2) scalbn(f,2) scalbln(f,2L) frexp(f,&i)
modf(f,&f) logb(f) cbrt(f) hypot(f,f) erf(f) erfc(f) tgamma(f) lgamma(f) copysign(f,f) nextafter(f,f) fdim(f,f) fmax(f,f)
fmin(f,f) fma(f,f,f) sinpi(f) cospi(f) rsqrt(f) rcbrt(f) erfinv(f) erfcinv(f) erfcx(f) normcdf(f) normcdfinv(f) j0(f) j1(f)
jn(2,f) y0(f) y1(f) yn(2,f) max(f,f) min(f,f)""".split()

DOUBLE = """abs(d) fabs(d) fabs(i) sqrt(d) sqrt(i) pow(d,2) pow(f,d) pow(f,2) pow(2,3) exp(i) log2(i) sin(i) floor(i) round(i)
trunc(i) cbrt(i) atan2(i,i) fmod(i,i) modf(d,&d) fmax(f,d) fmin(i,f) hypot(f,d) copysign(f,d) fma(i,i,f) exp10(d) max(f,d)""".split()

# Only the functions of the C++ library accept long double.
LONG_DOUBLE = "abs(x) fabs(x) sqrt(x) pow(x,x) sin(x) floor(x) cbrt(x) fmax(x,f)".split()
OTHER = {
    "int": "abs(i) ilogb(f) fpclassify(d) div(7,2).quot".split(),
    "long": "abs(l) lround(f) lrint(d) div(7L,2L).quot max(l,l)".split(),
    "long long": "abs(ll) llround(f) llrint(f)".split(),
    "bool": """isnan(f) isnan(d) isnan(i) isinf(f) isinf(d) isfinite(f) isfinite(d) signbit(f) signbit(d) isnormal(d)
isgreater(f,f) isunordered(d,d)""".split(),
}

HEAD = """template <class A, class B> struct same { static const bool value = false; };
template <class A> struct same<A, A> { static const bool value = true; };
"""
VARIABLES = "  float f = 1; double d = 1; int i = 1; long l = 1; long long ll = 1; (void)f, (void)d, (void)i, (void)l, (void)ll;\n"


def checks(kind, expressions):
    return "".join(f'  static_assert(same<decltype({e}), {kind}>::value, "{e}");\n' for e in expressions)


TYPES = checks("float", FLOAT) + checks("double", DOUBLE) + "".join(checks(kind, each) for kind, each in OTHER.items())

# Functions that only device code has.
ON_DEVICE = checks("float", """cyl_bessel_i0(f) cyl_bessel_i1(f) rhypotf(f,f) norm3df(f,f,f) rnorm3df(f,f,f)
norm4df(f,f,f,f) rnorm4df(f,f,f,f) normf(3,&f) rnormf(3,&f)""".split()) + checks("double", """cyl_bessel_i0(d)
norm3d(d,d,d) norm4d(d,d,d,d) rnorm3d(d,d,d) rnorm4d(d,d,d,d) norm(3,&d) rnorm(3,&d) rhypot(d,d) rhypot(f,f)""".split())


class HostMaths(DriverCase):
    def test_overloads_are_in_the_global_namespace_with_no_header_included(self):
        self.write("a.cu", HEAD + "void on_host() {\n" + VARIABLES + "  long double x = 1;\n" + TYPES +
                   checks("long double", LONG_DOUBLE) + "}\n")
        self.nvcc("-c", "a.cu")

    def test_device_code_has_the_same_types(self):
        on_device = "\n".join(line for line in TYPES.splitlines() if "div(" not in line)
        self.write("a.cu", HEAD + "__global__ void on_device() {\n" + VARIABLES + on_device + ON_DEVICE + "}\n")
        self.nvcc("-c", "a.cu")

    def test_values_with_stdio_alone(self):
        self.write("a.cu", r"""
#include <stdio.h>
int main() {
  double d = -2.75;
  float nan = sqrt(-1.0f), two = 2;
  long l = -3000000000;
  printf("%.2f %d %d %.9f %ld %d\n", abs(d), isnan(nan), isfinite(two), (double)sqrt(two), abs(l), signbit(-two));
  printf("%.3f %.3f\n", exp10(two), j0(two));
}
""")
        self.nvcc("a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "2.75 1 1 1.414213538 3000000000 1\n100.000 0.224\n")

    def test_values_with_cmath_alone(self):
        self.write("a.cu", r"""
#include <cmath>
#include <cstdio>
int main() {
  double d = -0.5;
  float two = 2;
  std::printf("%.1f %.9f %d\n", abs(d), (double)sqrt(two), isnan(two));
}
""")
        self.nvcc("a.cu", "-o", "a")
        self.assertEqual(self.output_of("a"), "0.5 1.414213538 0\n")


if __name__ == "__main__":
    unittest.main()
