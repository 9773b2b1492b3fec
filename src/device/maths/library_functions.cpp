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

// The C library's own, never a vectorised form of less accuracy.
REPRISE_MATHS double __nv_exact_sin(double x) { return sin(x); }
REPRISE_MATHS double __nv_exact_cos(double x) { return cos(x); }
REPRISE_MATHS double __nv_exact_tan(double x) { return tan(x); }

REPRISE_MATHS double __nv_hypot(double x, double y) { return hypot(x, y); }
REPRISE_MATHS double __nv_fmod(double x, double y) { return fmod(x, y); }
REPRISE_MATHS float __nv_fmodf(float x, float y) { return fmodf(x, y); }
REPRISE_MATHS double __nv_remainder(double x, double y) { return remainder(x, y); }
REPRISE_MATHS float __nv_remainderf(float x, float y) { return remainderf(x, y); }
REPRISE_MATHS double __nv_remquo(double x, double y, int* quotient) { return remquo(x, y, quotient); }
REPRISE_MATHS float __nv_remquof(float x, float y, int* quotient) { return remquof(x, y, quotient); }
