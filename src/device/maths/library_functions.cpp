// Functions that the C library has, where calling them directly would not do: it is less accurate than CUDA promises,
// it writes a global variable, or the name is missing.
#include <math.h>

#include "device/maths/maths.h"

// lgamma stores a sign for everyone in a global variable; the _r forms do not.
REPRISE_MATHS double __nv_lgamma(double x) {
  int sign;
  return static_cast<double>(lgammal_r(x, &sign));
}
REPRISE_MATHS float __nv_lgammaf(float x) {
  int sign;
  return static_cast<float>(lgamma_r(x, &sign));
}
REPRISE_MATHS double __nv_tgamma(double x) { return static_cast<double>(tgammal(x)); }
REPRISE_MATHS float __nv_tgammaf(float x) { return static_cast<float>(tgamma(x)); }

REPRISE_MATHS double __nv_cbrt(double x) { return static_cast<double>(cbrtl(x)); }
REPRISE_MATHS float __nv_cbrtf(float x) { return static_cast<float>(cbrt(static_cast<double>(x))); }
REPRISE_MATHS double __nv_rcbrt(double x) { return static_cast<double>(1 / cbrtl(x)); }
REPRISE_MATHS float __nv_rcbrtf(float x) { return static_cast<float>(1 / cbrt(static_cast<double>(x))); }
REPRISE_MATHS double __nv_exp10(double x) { return static_cast<double>(exp10l(x)); }
REPRISE_MATHS double __nv_log10(double x) { return static_cast<double>(log10l(x)); }
REPRISE_MATHS double __nv_cosh(double x) { return static_cast<double>(coshl(x)); }
REPRISE_MATHS double __nv_tanh(double x) { return static_cast<double>(tanhl(x)); }

REPRISE_MATHS double __nv_hypot(double x, double y) { return hypot(x, y); }
REPRISE_MATHS double __nv_fmod(double x, double y) { return fmod(x, y); }
REPRISE_MATHS float __nv_fmodf(float x, float y) { return fmodf(x, y); }
REPRISE_MATHS double __nv_remainder(double x, double y) { return remainder(x, y); }
REPRISE_MATHS float __nv_remainderf(float x, float y) { return remainderf(x, y); }
REPRISE_MATHS double __nv_remquo(double x, double y, int* quotient) { return remquo(x, y, quotient); }
REPRISE_MATHS float __nv_remquof(float x, float y, int* quotient) { return remquof(x, y, quotient); }
